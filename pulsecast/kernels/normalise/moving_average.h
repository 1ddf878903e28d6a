// The mean of a window around every step: the slow part of a series.
//
//   y[t] = (x[t - h] + ... + x[t + h]) / window, h = (window - 1) / 2
//
// Beyond its ends a row is continued with its first and its last value, so that y is as long as x.
// Sums run along the row in double: a step costs the same for any window.
#pragma once

#include <cstddef>

#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

// x (rows, length), window odd -> y (rows, length). `scratch` holds moving_average_scratch_doubles.
std::size_t moving_average_scratch_doubles(std::size_t length, std::size_t window);
void moving_average(std::size_t rows, std::size_t length, std::size_t window, const float* x,
                    float* y, double* scratch);
void moving_average_backward(std::size_t rows, std::size_t length, std::size_t window,
                             const float* grad_y, Gradient grad_x, double* scratch);

}  // namespace pulsecast::kernels
