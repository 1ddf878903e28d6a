#include "pulsecast/metrics/window_error.h"

#include <array>
#include <cmath>

namespace pulsecast {

WindowError window_error(std::size_t count, const float* forecast, const float* truth) {
  // Four at a time, so that an addition need not wait for the last.
  constexpr std::size_t kAtOnce = 4;
  std::array<double, kAtOnce> squared{};
  std::array<double, kAtOnce> absolute{};
  const auto add = [&](std::size_t i, std::size_t sum) {
    const double error = static_cast<double>(forecast[i]) - static_cast<double>(truth[i]);
    squared[sum] += error * error;
    absolute[sum] += std::abs(error);
  };
  std::size_t i = 0;
  for (; i + kAtOnce <= count; i += kAtOnce) {
    for (std::size_t sum = 0; sum < kAtOnce; ++sum) add(i + sum, sum);
  }
  for (; i < count; ++i) add(i, 0);
  const auto total = [](const auto& sums) { return (sums[0] + sums[1]) + (sums[2] + sums[3]); };
  return {total(squared), total(absolute), count};
}

}  // namespace pulsecast
