// The slow part of rows: a mean over a window around every step.
#pragma once

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

// x (rows, length) -> (rows, length); the window is odd, and rows are continued beyond their ends
// with their outermost values.
Tensor moving_average(Tape& tape, const Tensor& x, std::size_t window);

}  // namespace pulsecast::autodiff
