#include "pulsecast/kernels/spectrum/modulus.h"

#include <cmath>

namespace pulsecast::kernels {

void modulus(std::size_t count, const float* z, float* y) {
  for (std::size_t i = 0; i < count; ++i) {
    y[i] = std::sqrt(z[2 * i] * z[2 * i] + z[2 * i + 1] * z[2 * i + 1]);
  }
}

void modulus_backward(std::size_t count, const float* z, const float* y, const float* grad_y,
                      Gradient grad_z) {
  for (std::size_t i = 0; i < count; ++i) {
    const float factor = y[i] == 0.0f ? 0.0f : grad_y[i] / y[i];
    for (std::size_t part = 2 * i; part < 2 * i + 2; ++part) {
      const float before = grad_z.accumulate ? grad_z.data[part] : 0.0f;
      grad_z.data[part] = before + factor * z[part];
    }
  }
}

}  // namespace pulsecast::kernels
