#include "pulsecast/testing/reference/couple.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/kernels/pointwise/couple.h"

namespace pulsecast::kernels::reference {
namespace {

double log_of(float gain, float s) { return static_cast<double>(gain) * s; }

double factor_of(float gain, float s) {
  constexpr double kMost = kMostLog;
  return std::exp(std::clamp(log_of(gain, s), -kMost, kMost));
}

}  // namespace

void couple(std::size_t count, float gain, const float* a, const float* s, const float* t,
            float* y) {
  for (std::size_t i = 0; i < count; ++i) {
    y[i] = static_cast<float>(a[i] * factor_of(gain, s[i]) + t[i]);
  }
}

double couple_backward(std::size_t count, float gain, const float* a, const float* s,
                       const float* grad_y, float* grad_a, float* grad_s) {
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double scaled = grad_y[i] * factor_of(gain, s[i]);
    const double of_log = std::abs(log_of(gain, s[i])) <= kMostLog ? scaled * a[i] : 0.0;
    grad_a[i] = static_cast<float>(scaled);
    grad_s[i] = static_cast<float>(of_log * gain);
    sum += of_log * s[i];
  }
  return sum;
}

}  // namespace pulsecast::kernels::reference
