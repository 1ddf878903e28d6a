// The rectifier of any tensor.
#pragma once

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

Tensor relu(Tape& tape, const Tensor& x);

}  // namespace pulsecast::autodiff
