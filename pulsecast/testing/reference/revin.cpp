#include "pulsecast/testing/reference/revin.h"

#include <cmath>

namespace pulsecast::kernels::reference {

void revin(const RevinShape& s, const float* x, const float* anchor, const float* gamma,
           const float* beta, float* y, float* mean, float* deviation) {
  const auto n = static_cast<double>(s.width);
  for (std::size_t row = 0; row < s.rows; ++row) {
    const auto anchored = [&](std::size_t i) {
      return anchor == nullptr ? 0.0 : static_cast<double>(anchor[row * s.width + i]);
    };
    const auto residual = [&](std::size_t i) { return x[row * s.width + i] - anchored(i); };
    double sum = 0.0;
    for (std::size_t i = 0; i < s.width; ++i) sum += residual(i);
    double squares = 0.0;
    for (std::size_t i = 0; i < s.width; ++i) squares += std::pow(residual(i) - sum / n, 2.0);
    const double sigma = std::sqrt(squares / (n - 1.0) + kRevinEpsilon);
    const std::size_t channel = row % s.channels;
    for (std::size_t i = 0; i < s.width; ++i) {
      const double unit = (residual(i) - sum / n) / sigma;
      y[row * s.width + i] =
          static_cast<float>(unit * gamma[channel] + beta[channel] + anchored(i));
    }
    mean[row] = static_cast<float>(sum / n);
    deviation[row] = static_cast<float>(sigma);
  }
}

}  // namespace pulsecast::kernels::reference
