// Moves: transposition, patches and rows of a table.
#pragma once

#include <cstdint>

#include "pulsecast/autodiff/tape.h"
#include "pulsecast/kernels/rearrange.h"

namespace pulsecast::autodiff {

using kernels::PadSide;

// x (..., m, n) -> (..., n, m)
Tensor transpose(Tape& tape, const Tensor& x);

// x (rows, length) -> (rows, patch, patches), the positions inside a patch first; a length that is
// no multiple of the patch is continued on `side` with its outermost value.
Tensor to_patches(Tape& tape, const Tensor& x, std::size_t patch, PadSide side);
// x (rows, patch, patches) -> (rows, length), the first `length` steps.
Tensor from_patches(Tape& tape, const Tensor& x, std::size_t length);

// table (n, width), indices (count) below n, which must outlive the tape -> (count, width)
Tensor gather_rows(Tape& tape, const Tensor& table, const std::uint32_t* indices,
                   std::size_t count);
// table (n, width), indices (samples, steps) below n, which must outlive the tape
// -> (samples, width, steps): the rows that the steps read, with the steps innermost.
Tensor gather_columns(Tape& tape, const Tensor& table, const std::uint32_t* indices,
                      std::size_t samples, std::size_t steps);

}  // namespace pulsecast::autodiff
