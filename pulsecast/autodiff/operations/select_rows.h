// Some rows of a matrix.
#pragma once

#include <cstdint>
#include <span>

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

// x (rows, n) -> (selected, n): the rows with these numbers, each at most once. The gradient of the
// others is zero, to the bit. `selected` outlives the tape.
Tensor select_rows(Tape& tape, const Tensor& x, std::span<const std::uint32_t> selected);

}  // namespace pulsecast::autodiff
