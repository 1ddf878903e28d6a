#include "pulsecast/testing/reference/moving_average.h"

#include <algorithm>
#include <cstddef>

namespace pulsecast::kernels::reference {

void moving_average(std::size_t rows, std::size_t length, std::size_t window, const float* x,
                    float* y) {
  const auto half = static_cast<std::ptrdiff_t>(window / 2);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t t = 0; t < length; ++t) {
      double sum = 0.0;
      for (std::ptrdiff_t offset = -half; offset <= half; ++offset) {
        const std::ptrdiff_t at = std::clamp<std::ptrdiff_t>(
            static_cast<std::ptrdiff_t>(t) + offset, 0, static_cast<std::ptrdiff_t>(length) - 1);
        sum += static_cast<double>(x[row * length + static_cast<std::size_t>(at)]);
      }
      y[row * length + t] = static_cast<float>(sum / static_cast<double>(window));
    }
  }
}

}  // namespace pulsecast::kernels::reference
