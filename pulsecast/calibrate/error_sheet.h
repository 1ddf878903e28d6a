// Errors of forecasts whose futures have come, with what their windows showed beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/calibrate/look_back.h"
#include "pulsecast/data/windows/windows.h"

namespace pulsecast::calibrate {

// Fills forecast.values (B, C, H), scaled, for a gathered batch: a model, several of them, a test's
// stand-in. It is all that calibration knows of a model.
using BatchForecaster = std::function<void(const Batch& batch, Forecast& forecast)>;

// Of a panel the one channel is that of every series: windows of all are pooled, scaled by what
// each series is scaled by.
struct ErrorSheet {
  std::size_t windows = 0;
  std::size_t channels = 0;
  std::size_t horizon = 0;
  std::size_t stride = 1;             // windows from one of these to the next
  std::vector<float> errors;          // (C, windows, H): truth - forecast, scaled
  std::vector<LookBack> looks;        // (C, windows)
  std::vector<std::uint8_t> present;  // (C, windows): 0 where a window lacks the channel
  std::vector<std::int32_t> phases;   // (windows, H) of the steps forecast
  // What a quantile head reads; empty where none is to.
  std::size_t recent = 0;             // steps of a cycle
  std::vector<float> cycles = {};     // (C, windows, recent)
  std::vector<float> forecasts = {};  // (C, windows, H)

  std::span<const float> errors_of(std::size_t channel, std::size_t window) const {
    return std::span(errors).subspan((channel * windows + window) * horizon, horizon);
  }
  bool has(std::size_t channel, std::size_t window) const {
    return present[channel * windows + window] != 0;
  }
  std::span<const std::int32_t> phases_of(std::size_t window) const {
    return std::span(phases).subspan(window * horizon, horizon);
  }
  Outlook outlook_of(std::size_t channel, std::size_t window) const {
    const std::size_t at = channel * windows + window;
    Outlook seen{looks[at], phases_of(window), {}, {}};
    if (forecasts.empty()) return seen;
    seen.cycle = std::span(cycles).subspan(at * recent, recent);
    seen.forecast = std::span(forecasts).subspan(at * horizon, horizon);
    return seen;
  }
  // Windows [begin, end) alone.
  ErrorSheet part(std::size_t begin, std::size_t end) const;
};

enum class SheetOf { kErrors, kOutlooks };  // with what a quantile head reads, or without

struct SheetPlan {
  std::size_t period = 1;
  std::size_t batch = 1;
  SheetOf of = SheetOf::kErrors;
  std::size_t most_errors = std::size_t{1} << 24;  // 64 MB
};

// In the order of the windows. Of so many that there would be more errors than that some are left
// out evenly: windows a row apart say nearly the same.
ErrorSheet collect_errors(const Windows& windows, const SheetPlan& plan,
                          const BatchForecaster& forecast, ThreadPool& pool, const Watch& watch);

}  // namespace pulsecast::calibrate
