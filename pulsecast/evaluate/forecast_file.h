// Forecasts of windows that are scored as CSV, ours for others and others' for us: unique_id, ds,
// cutoff, yhat.
//
// The form is the one that cross-validation of the Nixtla libraries has: a row per channel, window
// and step; `cutoff` is the stamp of the last row that a forecast has seen, `ds` that of the row
// forecast, and yhat is in original units. Others' files may hold more (further columns, cutoffs
// and steps), but of every window, step and channel that is scored they must hold a finite value: a
// score over the windows that somebody chose to forecast cannot be compared with any other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/data/series/series.h"

namespace pulsecast {

// The windows that are scored; series and scaler outlive it.
struct ForecastWindows {
  const Series& series;
  const Scaler& scaler;
  std::size_t channels = 0;                // C, the targets of a window
  std::size_t horizon = 0;                 // H
  std::vector<std::size_t> first_targets;  // row of the first target of each window
  std::vector<std::uint8_t> present = {};  // (windows, C); empty where every target is there

  // Of a panel, whose windows are of one target each: which; else empty.
  std::vector<std::uint32_t> targets = {};

  // The channel of the series that is channel `c` of a window.
  std::size_t channel_of(std::size_t window, std::size_t c) const {
    return targets.empty() ? c : targets[window];
  }
  bool has(std::size_t window, std::size_t channel) const {
    return present.empty() || present[window * channels + channel] != 0;
  }
};

// Writes forecasts, batch after batch.
class ForecastFile {
 public:
  ForecastFile(const std::filesystem::path& path, ForecastWindows windows);
  // forecast (B, C, H), scaled, of the windows from `first` on.
  void add(std::size_t first, const Forecast& forecast);
  void commit() { file_.commit(); }

 private:
  ForecastWindows windows_;
  AtomicFile file_;
};

// Values of every window, as another program forecast them.
class ReadForecasts {
 public:
  // Throws Error(kData) that counts what is missing and names the first of it, Error(kUsage) where
  // columns are missing, Error(kInputOutput). Stamps without an offset are read as those of the
  // series.
  ReadForecasts(const std::filesystem::path& path, const ForecastWindows& windows,
                ThreadPool& threads);

  // Fills forecast.values (B, C, H), scaled, with the next windows.
  void predict(const Batch& batch, Forecast& forecast);
  // Values of one window (C, H), scaled; NaN where the target is not scored.
  std::span<const float> window(std::size_t number) const {
    return std::span(values_).subspan(number * window_values_, window_values_);
  }
  // Rows of the file that are of no such window or step.
  std::size_t unused() const { return unused_; }

 private:
  std::vector<float> values_;  // (windows, C, H), scaled
  std::size_t window_values_ = 0;
  std::size_t next_ = 0;  // of values_
  std::size_t unused_ = 0;
};

}  // namespace pulsecast
