// Sums of pointwise errors and their gradients. (The spectral loss is RealFft::sum_of_moduli.)
#pragma once

#include <cstddef>

namespace pulsecast::kernels {

// sum of (x - y)^2, in double by blocks; where gradient is not null it is scale * 2 (x - y).
double sum_squared_error(std::size_t count, const float* x, const float* y, float scale,
                         float* gradient);
// sum of |x - y|; gradient scale * sign(x - y), 0 at 0.
double sum_absolute_error(std::size_t count, const float* x, const float* y, float scale,
                          float* gradient);

}  // namespace pulsecast::kernels
