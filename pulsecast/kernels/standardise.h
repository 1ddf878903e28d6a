// Instance standardisation: each row to mean 0 and deviation 1 by its own statistics.
//
// mean = sum(x)/n; deviation = sqrt(unbiased variance + eps); y = (x - mean) / deviation. Mean and
// deviation are outputs too, with gradients of their own: they come back in the forecast.
#pragma once

#include <cstddef>

#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

inline constexpr float kStandardiseEpsilon = 1e-5f;

// x (rows, width), width >= 2 -> y (rows, width), mean (rows), deviation (rows).
void standardise(std::size_t rows, std::size_t width, const float* x, float* y, float* mean,
                 float* deviation);

// Any of the incoming gradients may be null, which is zero.
void standardise_backward(std::size_t rows, std::size_t width, const float* y,
                          const float* deviation, const float* grad_y, const float* grad_mean,
                          const float* grad_deviation, Gradient grad_x);

namespace reference {

void standardise(std::size_t rows, std::size_t width, const float* x, float* y, float* mean,
                 float* deviation);

}  // namespace reference
}  // namespace pulsecast::kernels
