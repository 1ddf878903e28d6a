// Elementwise arithmetic of tensors of one shape.
#pragma once

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

Tensor add(Tape& tape, const Tensor& a, const Tensor& b);
Tensor subtract(Tape& tape, const Tensor& a, const Tensor& b);
Tensor multiply(Tape& tape, const Tensor& a, const Tensor& b);
Tensor scale(Tape& tape, const Tensor& x, float factor);
// weight * a + (1 - weight) * b: the convex mix of mixup.
Tensor mix(Tape& tape, const Tensor& a, const Tensor& b, float weight);

}  // namespace pulsecast::autodiff
