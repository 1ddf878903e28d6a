#include "pulsecast/metrics/naive.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pulsecast {

void naive_forecast(std::span<const float> past, std::span<float> forecast) {
  assert(!past.empty());
  std::ranges::fill(forecast, past.back());
}

template <typename Value>
void seasonal_naive_forecast(std::span<const Value> past, std::size_t period,
                             std::span<Value> forecast) {
  assert(period >= 1 && !past.empty());
  std::size_t last = past.size() - 1;
  while (last > 0 && std::isnan(past[last])) --last;
  const std::size_t fresh = std::min(period, forecast.size());
  for (std::size_t h = 0; h < fresh; ++h) {
    forecast[h] = past[last];
    for (std::size_t end = past.size() + h; end >= period; end -= period) {
      const Value value = past[end - period];
      if (std::isnan(value)) continue;
      forecast[h] = value;
      break;
    }
  }
  for (std::size_t h = fresh; h < forecast.size(); ++h) forecast[h] = forecast[h - period];
}

template void seasonal_naive_forecast<float>(std::span<const float>, std::size_t, std::span<float>);
template void seasonal_naive_forecast<double>(std::span<const double>, std::size_t,
                                              std::span<double>);

void drift_forecast(std::span<const float> history, std::span<float> forecast) {
  assert(!history.empty());
  const double last = history.back();
  const double slope = history.size() == 1 ? 0.0
                                           : (last - static_cast<double>(history.front())) /
                                                 static_cast<double>(history.size() - 1);
  for (std::size_t h = 0; h < forecast.size(); ++h) {
    forecast[h] = static_cast<float>(last + slope * static_cast<double>(h + 1));
  }
}

}  // namespace pulsecast
