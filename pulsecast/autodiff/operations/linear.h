// Fully connected layers, with and without exact GELU.
#pragma once

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

// x (..., in), weight (out, in), bias (out) -> (..., out)
Tensor linear(Tape& tape, const Tensor& x, const Tensor& weight, const Tensor& bias);
Tensor linear(Tape& tape, const Tensor& x, const Tensor& weight);
Tensor linear_gelu(Tape& tape, const Tensor& x, const Tensor& weight, const Tensor& bias);

}  // namespace pulsecast::autodiff
