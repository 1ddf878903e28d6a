#include "pulsecast/testing/reference/adam.h"

#include <cmath>

namespace pulsecast::kernels::reference {

void adam(std::size_t count, const AdamSettings& s, std::int64_t step, const float* gradient,
          float* weight, float* moment1, float* moment2) {
  const auto t = static_cast<double>(step);
  for (std::size_t i = 0; i < count; ++i) {
    const double g = gradient[i];
    const double m1 = s.beta1 * moment1[i] + (1.0 - s.beta1) * g;
    const double m2 = s.beta2 * moment2[i] + (1.0 - s.beta2) * g * g;
    const double corrected1 = m1 / (1.0 - std::pow(s.beta1, t));
    const double corrected2 = m2 / (1.0 - std::pow(s.beta2, t));
    moment1[i] = static_cast<float>(m1);
    moment2[i] = static_cast<float>(m2);
    weight[i] = static_cast<float>(weight[i] - s.learning_rate * corrected1 /
                                                   (std::sqrt(corrected2) + s.epsilon));
  }
}

}  // namespace pulsecast::kernels::reference
