// The error of a model over every window of a set.
#pragma once

#include <utility>
#include <vector>

#include "pulsecast/base/watch.h"
#include "pulsecast/data/windows/batcher.h"
#include "pulsecast/data/windows/window_order.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/metrics/error_table.h"
#include "pulsecast/metrics/window_error.h"
#include "pulsecast/model/inference.h"

namespace pulsecast::train {

class Validation {
 public:
  // What forecasts, `windows` and `pool` outlive it. `batch` windows are forecast together at
  // least.
  Validation(const model::Pulse& pulse, const Windows& windows, std::size_t batch,
             ThreadPool& pool);
  Validation(const model::Ensemble& ensemble, const Windows& windows, std::size_t batch,
             ThreadPool& pool);

  // Means over every window, step and channel that is there, on scaled data.
  Errors measure(const Watch& watch = {});

  std::size_t memory() const { return batcher_.memory() + arena_.capacity(); }

 private:
  template <typename Forecaster>
  Validation(std::in_place_t, const Forecaster& forecaster, const Windows& windows,
             std::size_t batch, ThreadPool& pool);

  const Windows& windows_;
  ThreadPool& pool_;
  WindowOrder order_;
  Batcher batcher_;
  model::Inference inference_;
  Arena arena_;
  Forecast forecast_;
  std::vector<WindowError> sums_;  // one per window, added in their order
  std::size_t values_;
};

// What repeating each window's last `period` values comes to over the same windows: MSE on scaled
// data. NaN where windows are shorter than that.
double naive_mse(const Windows& windows, std::size_t period, std::size_t batch, ThreadPool& pool);

}  // namespace pulsecast::train
