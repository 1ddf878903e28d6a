// The forecasts that cost nothing, as they stand beside every score.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pulsecast/evaluate/seasons.h"

namespace pulsecast {

struct Baseline {
  std::string name;        // "naive", "seasonal naive (week)", "drift"
  std::size_t period = 0;  // of a seasonal one, in steps
  // Forecasts `forecast` (H) of the values that follow `past`, which is all that was seen of a
  // channel.
  std::function<void(std::span<const float> past, std::span<float> forecast)> forecast;
};

// Naive, one for each season that is no longer than `seen`, the rows before the first forecast, and
// drift over the last `lookback` rows.
std::vector<Baseline> baselines_for(std::span<const Season> seasons, std::size_t seen,
                                    std::size_t lookback);

}  // namespace pulsecast
