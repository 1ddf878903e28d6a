// Moves: transposition, patches and rows of a table.
#pragma once

#include <cstdint>

#include "pulsecast/autodiff/tape.h"
#include "pulsecast/kernels/pointwise/rearrange.h"

namespace pulsecast::autodiff {

using kernels::PadSide;

// x (..., m, n) -> (..., n, m)
Tensor transpose(Tape& tape, const Tensor& x);

// x (rows, length) -> (rows, patch, patches), the positions inside a patch first; a length that is
// no multiple of the patch is continued on `side` with its outermost value.
Tensor to_patches(Tape& tape, const Tensor& x, std::size_t patch, PadSide side);
// The same with tokens of `width`, at least the patches: behind those a 1, where there is room, and
// zeros.
Tensor to_tokens(Tape& tape, const Tensor& x, std::size_t patch, PadSide side, std::size_t width);
// x (rows, patch, patches) -> (rows, length), the first `length` steps.
Tensor from_patches(Tape& tape, const Tensor& x, std::size_t length);

// x (rows, length) -> (rows, patches, patch), patches that begin every `stride` steps; the row is
// continued by one stride with its last value, so that the newest steps are in a patch.
Tensor to_strided_patches(Tape& tape, const Tensor& x, std::size_t patch, std::size_t stride);

// x (rows, a, width), y (rows, b, width) -> (rows, a + b, width)
Tensor join_tokens(Tape& tape, const Tensor& x, const Tensor& y);
// x (rows, tokens, width) -> (rows, count, width), tokens [first, first + count)
Tensor take_tokens(Tape& tape, const Tensor& x, std::size_t first, std::size_t count);

// x (rows, m, n, width) -> (rows, n, m, width)
Tensor swap_middle(Tape& tape, const Tensor& x);
// x (rows, n) -> (rows, n - width + 1, width): the window that begins at each value.
Tensor sliding_windows(Tape& tape, const Tensor& x, std::size_t width);

// x (..., n) -> (..., width): cut at the end, or continued with zeros.
Tensor resize_width(Tape& tape, const Tensor& x, std::size_t width);
// x (rows, n) -> (rows, n + 2 * count): before each row its last values, after it its first.
Tensor wrap_ends(Tape& tape, const Tensor& x, std::size_t count);

// table (n, width), indices (count) below n, which must outlive the tape -> (count, width)
Tensor gather_rows(Tape& tape, const Tensor& table, const std::uint32_t* indices,
                   std::size_t count);
// table (n, width), indices (samples, steps) below n, which must outlive the tape
// -> (samples, width, steps): the rows that the steps read, with the steps innermost.
Tensor gather_columns(Tape& tape, const Tensor& table, const std::uint32_t* indices,
                      std::size_t samples, std::size_t steps);

// Tensors (width, steps) of samples that lie apart, one per sample, all of which outlive the tape;
// their gradients side by side, (samples, width, steps), or null where nobody wants them.
struct ApartSamples {
  const float* const* values = nullptr;
  float* gradients = nullptr;
};
// The same added to such samples. A gradient of the result is theirs too, so it is gathered where
// they want it.
Tensor gather_columns_onto(Tape& tape, const Tensor& table, const std::uint32_t* indices,
                           const ApartSamples& bases, std::size_t samples, std::size_t steps);
// Such samples side by side.
Tensor join_samples(Tape& tape, const ApartSamples& bases, const Shape& shape, std::size_t samples);
// x (samples * width, steps) added to them.
Tensor add_to_samples(Tape& tape, const Tensor& x, const ApartSamples& bases, std::size_t samples);

}  // namespace pulsecast::autodiff
