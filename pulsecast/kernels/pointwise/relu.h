// The rectifier: what is below zero is zero.
#pragma once

#include <cstddef>

#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

// y[i] = max(x[i], 0)
void relu(std::size_t count, const float* x, float* y);
// grad_x = grad_y where y, of relu(), is above 0, and 0 elsewhere.
void relu_backward(std::size_t count, const float* y, const float* grad_y, Gradient grad_x);

}  // namespace pulsecast::kernels
