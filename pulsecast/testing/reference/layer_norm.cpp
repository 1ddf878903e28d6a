#include "pulsecast/testing/reference/layer_norm.h"

#include <cmath>

#include "pulsecast/kernels/normalise/layer_norm.h"

namespace pulsecast::kernels::reference {

void layer_norm(std::size_t rows, std::size_t width, const float* x, const float* gamma,
                const float* beta, float* y) {
  for (std::size_t row = 0; row < rows; ++row) {
    const float* from = x + row * width;
    double mean = 0.0;
    for (std::size_t i = 0; i < width; ++i) mean += from[i];
    mean /= static_cast<double>(width);
    double variance = 0.0;
    for (std::size_t i = 0; i < width; ++i) variance += (from[i] - mean) * (from[i] - mean);
    variance /= static_cast<double>(width);
    for (std::size_t i = 0; i < width; ++i) {
      const double unit = (from[i] - mean) / std::sqrt(variance + kLayerNormEpsilon);
      y[row * width + i] = static_cast<float>(unit * gamma[i] + beta[i]);
    }
  }
}

}  // namespace pulsecast::kernels::reference
