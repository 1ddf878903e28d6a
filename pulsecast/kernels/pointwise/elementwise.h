// One-pass arithmetic over whole buffers and over rows. Results may overwrite inputs of the same
// shape; nothing else may overlap.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace pulsecast::kernels {

// y[i] = (accumulate ? y[i] : 0) + alpha * x[i]
void scale(std::size_t count, float alpha, const float* x, bool accumulate, float* y);
// y[i] = (accumulate ? y[i] : 0) + a[i] * b[i]
void multiply(std::size_t count, const float* a, const float* b, bool accumulate, float* y);
// y[i] = (accumulate ? y[i] : 0) + alpha * a[i] + beta * b[i]
void combine(std::size_t count, float alpha, const float* a, float beta, const float* b,
             bool accumulate, float* y);

// y[i] = ((x0 + x1) + (x2 + x3)) + ((x4 + x5) + (x6 + x7)), always in this order.
void add_eight(std::size_t count, const std::array<const float*, 8>& x, float* y);
// y[i] = ((x0 + x1) + x2) + ..., of at least one x.
void add_in_order(std::size_t count, std::span<const float* const> x, float* y);

// y (rows, columns) = x + bias (columns)
void add_bias(std::size_t rows, std::size_t columns, const float* bias, const float* x, float* y);
// sums[j] = (accumulate ? sums[j] : 0) + sum over rows of x (rows, columns)[i][j]
void column_sums(std::size_t rows, std::size_t columns, const float* x, bool accumulate,
                 float* sums);
// product (rows, columns) = a * b, and its column sums in the same pass.
void multiply_and_column_sums(std::size_t rows, std::size_t columns, const float* a, const float* b,
                              float* product, bool accumulate, float* sums);

// Whether every value is finite.
bool all_finite(std::size_t count, const float* x);

}  // namespace pulsecast::kernels
