// Moves without arithmetic, and their adjoints. With accumulate the result is added to what is
// there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pulsecast::kernels {

// x (batch, rows, columns) -> y (batch, columns, rows). Its own adjoint, with rows and columns
// exchanged.
void transpose(std::size_t batch, std::size_t rows, std::size_t columns, const float* x,
               bool accumulate, float* y);

// Where a series whose length is no multiple of the patch is continued with its outermost value.
enum class PadSide { kLeft, kRight };

// x (rows, length) -> y (rows, patch, width), width >= patches = ceil(length / patch): y[p][n] is
// position p of patch n of the padded row; behind the patches a 1, where there is room, and zeros.
// What came back to those is not read.
void to_tokens(std::size_t rows, std::size_t length, std::size_t patch, PadSide side,
               std::size_t width, const float* x, float* y);
void to_tokens_adjoint(std::size_t rows, std::size_t length, std::size_t patch, PadSide side,
                       std::size_t width, const float* grad_y, bool accumulate, float* grad_x);

// x (rows, patch, patches) -> y (rows, length), the first `length` steps.
void from_patches(std::size_t rows, std::size_t length, std::size_t patch, const float* x,
                  float* y);
void from_patches_adjoint(std::size_t rows, std::size_t length, std::size_t patch,
                          const float* grad_y, bool accumulate, float* grad_x);

// How many patches of `patch` steps begin every `stride` steps of a row of `length`, of which the
// last may reach past the end: the row is continued by one stride with its last value.
std::size_t strided_patches(std::size_t length, std::size_t patch, std::size_t stride);
// x (rows, length) -> y (rows, patches, patch), the steps of a patch innermost.
void to_strided_patches(std::size_t rows, std::size_t length, std::size_t patch, std::size_t stride,
                        const float* x, float* y);
void to_strided_patches_adjoint(std::size_t rows, std::size_t length, std::size_t patch,
                                std::size_t stride, const float* grad_y, bool accumulate,
                                float* grad_x);

// `blocks` blocks of `count` floats, from one of every `from_stride` floats of x to one of every
// `to_stride` floats of y: what cutting and joining tensors along an inner dimension is made of.
// Its own adjoint, with x and y exchanged.
void copy_blocks(std::size_t blocks, std::size_t count, std::size_t from_stride, const float* x,
                 std::size_t to_stride, bool accumulate, float* y);

// y (count, width): row i is row indices[i] of table.
void gather_rows(std::size_t count, std::size_t width, const std::uint32_t* indices,
                 const float* table, float* y);
// table row indices[i] += row i of grad_y, in the order of i.
void scatter_add_rows(std::size_t count, std::size_t width, const std::uint32_t* indices,
                      const float* grad_y, float* grad_table);

// table (n, width), indices (samples, steps) -> y (samples, width, steps): each step reads a row of
// the table, and the steps run innermost. Where bases is not null each sample has its own,
// (width, steps), added to.
void gather_columns(std::size_t samples, std::size_t steps, std::size_t width,
                    const std::uint32_t* indices, const float* table, const float* const* bases,
                    float* y);
// grad_table (n, width) += what y got, in the order of samples and steps.
void scatter_add_columns(std::size_t samples, std::size_t steps, std::size_t width,
                         const std::uint32_t* indices, const float* grad_y, float* grad_table);

}  // namespace pulsecast::kernels
