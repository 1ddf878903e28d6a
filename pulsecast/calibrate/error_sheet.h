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

  std::span<const float> errors_of(std::size_t channel, std::size_t window) const {
    return std::span(errors).subspan((channel * windows + window) * horizon, horizon);
  }
  bool has(std::size_t channel, std::size_t window) const {
    return present[channel * windows + window] != 0;
  }
  std::span<const std::int32_t> phases_of(std::size_t window) const {
    return std::span(phases).subspan(window * horizon, horizon);
  }
};

// In the order of the windows. Of so many that their errors would fill more than 64 MB some are
// left out evenly: windows a row apart say nearly the same.
ErrorSheet collect_errors(const Windows& windows, std::size_t period, std::size_t batch,
                          const BatchForecaster& forecast, ThreadPool& pool, const Watch& watch);

}  // namespace pulsecast::calibrate
