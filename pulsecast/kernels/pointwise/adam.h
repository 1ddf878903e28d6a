// Adam (Kingma and Ba, 2015) over one flat buffer, without weight decay, in one pass.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pulsecast::kernels {

struct AdamSettings {
  double learning_rate = 0.005;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
};

// Step number `step` (the first is 1) on `count` weights with their gradients and two moments.
void adam(std::size_t count, const AdamSettings& settings, std::int64_t step, const float* gradient,
          float* weight, float* moment1, float* moment2);

}  // namespace pulsecast::kernels
