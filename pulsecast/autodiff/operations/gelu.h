// Exact GELU of any tensor. After a linear layer, linear_gelu is the faster way.
#pragma once

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

Tensor gelu(Tape& tape, const Tensor& x);

}  // namespace pulsecast::autodiff
