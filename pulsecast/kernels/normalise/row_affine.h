// A factor and a shift a row of what is left once an anchor is taken away:
//
//   y (rows, width) = (x - anchor) * factor (rows) + shift (rows) + anchor
#pragma once

#include <cstddef>

#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

// anchor (rows, width) may be null, which is zero.
void row_affine(std::size_t rows, std::size_t width, const float* x, const float* anchor,
                const float* factor, const float* shift, float* y);

struct RowAffineGradients {
  Gradient x;       // (rows, width), may be null
  Gradient anchor;  // (rows, width), may be null
  float* factor;    // (rows)
  float* shift;     // (rows)
};
void row_affine_backward(std::size_t rows, std::size_t width, const float* x, const float* anchor,
                         const float* factor, const float* grad_y,
                         const RowAffineGradients& gradients);

}  // namespace pulsecast::kernels
