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
// The pinball loss of `quantiles` forecasts y (rows, quantiles) of each target (rows), at
// probabilities (quantiles): the sum of p (target - y) where the target lies above and of
// (1 - p) (y - target) where it lies below; gradient scale * (1 - p) or -scale * p, 0 at 0.
double sum_quantile_error(std::size_t rows, std::size_t quantiles, const float* y,
                          const float* target, const float* probabilities, float scale,
                          float* gradient);

}  // namespace pulsecast::kernels
