#include "pulsecast/testing/reference/fft.h"

#include <cmath>
#include <numbers>

namespace pulsecast::kernels::reference {

void real_fft(std::size_t n, const float* in, std::size_t rows, float* out) {
  const std::size_t bins = n / 2 + 1;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < bins; ++k) {
      double re = 0.0;
      double im = 0.0;
      for (std::size_t t = 0; t < n; ++t) {
        const double angle =
            2.0 * std::numbers::pi * static_cast<double>(k * t % n) / static_cast<double>(n);
        re += in[row * n + t] * std::cos(angle);
        im -= in[row * n + t] * std::sin(angle);
      }
      out[(row * bins + k) * 2] = static_cast<float>(re);
      out[(row * bins + k) * 2 + 1] = static_cast<float>(im);
    }
  }
}

}  // namespace pulsecast::kernels::reference
