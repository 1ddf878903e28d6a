// The test rows of a dataset, scored: by this alone are contenders compared, and so all of them,
// trained here or elsewhere, go through it.
#pragma once

#include <functional>
#include <vector>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/benchmark/run_record.h"
#include "pulsecast/benchmark/window_errors.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/evaluate/evaluation.h"
#include "pulsecast/evaluate/forecast_file.h"
#include "pulsecast/train/plan.h"

namespace pulsecast::benchmark {

// A series with the plan of a run and the scale of its training rows; `series` outlives it.
class TestRows {
 public:
  // Throws Error(kData) where not one test window fits. Windows are without what is taken off the
  // targets, if anything is, and errors are the same with it and without.
  TestRows(const Series& series, const train::Plan& plan, const Effects* effects = nullptr,
           const StaticProfiles* profiles = nullptr);
  TestRows(const TestRows&) = delete;
  TestRows& operator=(const TestRows&) = delete;

  const Series& series() const { return series_; }
  const Scaler& scaler() const { return scaler_; }
  const ScaledSeries& scaled() const { return scaled_; }
  const Windows& windows() const { return windows_; }
  const train::Plan& plan() const { return plan_; }
  // Row of the first target of a window, counted as in the series.
  std::size_t first_target(std::size_t window) const {
    return windows_.first_row(window) + plan_.shape.lookback - scaled_.lead();
  }
  // The target that is channel `c` of a window.
  std::size_t target_of(std::size_t window, std::size_t c) const {
    return windows_.panel() == nullptr ? c : windows_.panel()->place(window).target;
  }
  // (targets) of a panel, or one for all: rows of training, by which MASE is scaled.
  std::vector<RowRange> trained() const;
  // All of them, for files of forecasts.
  ForecastWindows forecast_windows() const;

 private:
  const Series& series_;
  train::Plan plan_;
  Scaler scaler_;
  ScaledSeries scaled_;
  Windows windows_;
};

struct Scoring {
  double mse = 0.0;
  double mae = 0.0;
  std::vector<LagMase> mase;
  std::vector<BaselineScore> baselines;
  WindowErrors errors;
};

// Sees every batch of forecasts, in the order of the windows; `first` is the number of its first.
using ForecastWatcher =
    std::function<void(std::size_t first, const Batch& batch, const Forecast& forecast)>;

// `predict` gets the windows in their order, none left out.
Scoring score(const TestRows& rows, const Predictor& predict, ThreadPool& threads,
              const ForecastWatcher& watch = {});

}  // namespace pulsecast::benchmark
