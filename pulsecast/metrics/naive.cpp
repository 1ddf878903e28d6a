#include "pulsecast/metrics/naive.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pulsecast {

void naive_forecast(std::span<const float> past, std::span<float> forecast) {
  assert(!past.empty());
  std::ranges::fill(forecast, past.back());
}

void seasonal_naive_forecast(std::span<const float> past, std::size_t period,
                             std::span<float> forecast) {
  assert(period >= 1 && past.size() >= period);
  const std::size_t fresh = std::min(period, forecast.size());
  for (std::size_t h = 0; h < fresh; ++h) {
    std::size_t row = past.size() - period + h;
    while (std::isnan(past[row]) && row >= period) row -= period;
    forecast[h] = std::isnan(past[row]) ? past.back() : past[row];
  }
  for (std::size_t h = fresh; h < forecast.size(); ++h) forecast[h] = forecast[h - period];
}

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
