// The Gaussian error linear unit, exact: gelu(x) = x Phi(x), with Phi from erf, not tanh.
#pragma once

#include <cstddef>

namespace pulsecast::kernels {

// y[i] = gelu(x[i]); where slope is not null also slope[i] = gelu'(x[i]) = Phi(x) + x phi(x).
// The two share their exponential, so the backward pass is one multiplication. y, slope and x may
// be the same memory.
void gelu(std::size_t count, const float* x, float* y, float* slope);

// The same for rows that still lack their bias: x (rows, columns) plus bias (columns).
void bias_gelu(std::size_t rows, std::size_t columns, const float* bias, const float* x, float* y,
               float* slope);

}  // namespace pulsecast::kernels
