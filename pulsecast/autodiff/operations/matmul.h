// Matrix products of two tensors.
#pragma once

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

// a (m, k), b (k, n) -> (m, n); or with a batch in front of all three.
Tensor matmul(Tape& tape, const Tensor& a, const Tensor& b);

}  // namespace pulsecast::autodiff
