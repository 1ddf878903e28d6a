#include "pulsecast/testing/reference/batch_norm.h"

#include <cmath>

#include "pulsecast/kernels/normalise/batch_norm.h"

namespace pulsecast::kernels::reference {

void batch_norm(std::size_t rows, std::size_t width, const float* x, const float* gamma,
                const float* beta, float* y) {
  const auto count = static_cast<double>(rows);
  for (std::size_t j = 0; j < width; ++j) {
    double mean = 0.0, variance = 0.0;
    for (std::size_t i = 0; i < rows; ++i) mean += static_cast<double>(x[i * width + j]) / count;
    for (std::size_t i = 0; i < rows; ++i) {
      const double difference = static_cast<double>(x[i * width + j]) - mean;
      variance += difference * difference / count;
    }
    for (std::size_t i = 0; i < rows; ++i) {
      y[i * width + j] = static_cast<float>((static_cast<double>(x[i * width + j]) - mean) /
                                                std::sqrt(variance + kBatchNormEpsilon) *
                                                static_cast<double>(gamma[j]) +
                                            static_cast<double>(beta[j]));
    }
  }
}

}  // namespace pulsecast::kernels::reference
