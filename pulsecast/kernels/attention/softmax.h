// Softmax over the last dimension.
#pragma once

#include <cstddef>

#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

// x (rows, width) -> y (rows, width), which may be x.
void softmax(std::size_t rows, std::size_t width, const float* x, float* y);

// From y, what softmax gave: grad_x = y * (grad_y - sum(y * grad_y)).
void softmax_backward(std::size_t rows, std::size_t width, const float* y, const float* grad_y,
                      Gradient grad_x);

}  // namespace pulsecast::kernels
