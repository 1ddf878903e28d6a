#include "pulsecast/evaluate/baselines.h"

#include <algorithm>

#include "pulsecast/metrics/naive.h"

namespace pulsecast {

std::vector<Baseline> baselines_for(std::span<const Season> seasons, std::size_t seen,
                                    std::size_t lookback) {
  std::vector<Baseline> all{{"naive", 0, naive_forecast}};
  for (const Season& season : seasons) {
    if (season.steps > seen) continue;
    all.push_back({"seasonal naive (" + season.name + ")", season.steps,
                   [steps = season.steps](std::span<const float> past, std::span<float> forecast) {
                     seasonal_naive_forecast<float>(past, steps, forecast);
                   }});
  }
  all.push_back({"drift", 0, [lookback](std::span<const float> past, std::span<float> forecast) {
                   drift_forecast(past.last(std::min(lookback, past.size())), forecast);
                 }});
  return all;
}

}  // namespace pulsecast
