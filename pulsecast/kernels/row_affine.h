// A factor and a shift a row: y (rows, width) = x * factor (rows) + shift (rows).
#pragma once

#include <cstddef>

#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

void row_affine(std::size_t rows, std::size_t width, const float* x, const float* factor,
                const float* shift, float* y);

// grad_factor and grad_shift (rows) are written; grad_x may be null.
void row_affine_backward(std::size_t rows, std::size_t width, const float* x, const float* factor,
                         const float* grad_y, Gradient grad_x, float* grad_factor,
                         float* grad_shift);

}  // namespace pulsecast::kernels
