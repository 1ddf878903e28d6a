// Elementwise arithmetic of tensors of one shape, and of one with each row of another.
#pragma once

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

Tensor add(Tape& tape, const Tensor& a, const Tensor& b);
Tensor subtract(Tape& tape, const Tensor& a, const Tensor& b);
Tensor multiply(Tape& tape, const Tensor& a, const Tensor& b);
// x (..., width) + row (width), the same for all rows; or row (n, width) for x (..., n, width).
Tensor add_to_rows(Tape& tape, const Tensor& x, const Tensor& row);
Tensor scale(Tape& tape, const Tensor& x, float factor);
// weight * a + (1 - weight) * b: the convex mix of mixup.
Tensor mix(Tape& tape, const Tensor& a, const Tensor& b, float weight);

}  // namespace pulsecast::autodiff
