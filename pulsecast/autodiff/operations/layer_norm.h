// Layer normalisation over the last dimension.
#pragma once

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

// x (..., width), gamma and beta (width)
Tensor layer_norm(Tape& tape, const Tensor& x, const Tensor& gamma, const Tensor& beta);

}  // namespace pulsecast::autodiff
