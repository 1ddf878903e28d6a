// Softmax over the last dimension.
#pragma once

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

Tensor softmax(Tape& tape, const Tensor& x);

}  // namespace pulsecast::autodiff
