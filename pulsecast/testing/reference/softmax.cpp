#include "pulsecast/testing/reference/softmax.h"

#include <cmath>

namespace pulsecast::kernels::reference {

void softmax(std::size_t rows, std::size_t width, const float* x, float* y) {
  for (std::size_t row = 0; row < rows; ++row) {
    const float* from = x + row * width;
    double largest = from[0];
    for (std::size_t i = 1; i < width; ++i) largest = std::fmax(largest, from[i]);
    double sum = 0.0;
    for (std::size_t i = 0; i < width; ++i) sum += std::exp(from[i] - largest);
    for (std::size_t i = 0; i < width; ++i) {
      y[row * width + i] = static_cast<float>(std::exp(from[i] - largest) / sum);
    }
  }
}

}  // namespace pulsecast::kernels::reference
