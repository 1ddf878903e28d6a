// An affine coupling of halves (kernels/pointwise/couple.h).
#pragma once

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

// a, s and t of one shape, gain (1): a * exp(gain * s, held to +-5) + t
Tensor couple(Tape& tape, const Tensor& a, const Tensor& s, const Tensor& t, const Tensor& gain);

}  // namespace pulsecast::autodiff
