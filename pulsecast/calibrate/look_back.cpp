#include "pulsecast/calibrate/look_back.h"

#include <algorithm>
#include <cmath>

namespace pulsecast::calibrate {
namespace {

struct Moments {
  float mean;
  float deviation;
};

// In four sums that do not wait for each other: this is done for every forecast.
Moments moments_of(std::span<const float> values) {
  constexpr std::size_t kLanes = 4;
  float sums[kLanes] = {};
  float squares[kLanes] = {};
  // Around the first value, so that a level far from 0 costs no digits.
  const float origin = values.front();
  const std::size_t whole = values.size() / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float value = values[i + lane] - origin;
      sums[lane] += value;
      squares[lane] += value * value;
    }
  }
  for (std::size_t i = whole; i < values.size(); ++i) {
    const float value = values[i] - origin;
    sums[0] += value;
    squares[0] += value * value;
  }
  const auto count = static_cast<float>(values.size());
  const float mean = (sums[0] + sums[1] + sums[2] + sums[3]) / count;
  const float square = (squares[0] + squares[1] + squares[2] + squares[3]) / count;
  return {origin + mean, std::sqrt(std::max(0.0f, square - mean * mean))};
}

}  // namespace

std::size_t recent_steps(std::size_t lookback, std::size_t period) {
  if (period >= 2 && 2 * period <= lookback) return period;
  return std::clamp<std::size_t>(lookback / 4, std::min<std::size_t>(2, lookback), lookback);
}

LookBack look_back(std::span<const float> history, std::size_t recent_steps) {
  const Moments all = moments_of(history);
  return {all.deviation, moments_of(history.last(recent_steps)).deviation, all.mean};
}

}  // namespace pulsecast::calibrate
