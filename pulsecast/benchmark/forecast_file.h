// Forecasts of test windows as CSV, ours for others and others' for us: unique_id, ds, cutoff,
// yhat.
//
// The form is the one that cross-validation of the Nixtla libraries has: a row per channel, window
// and step; `cutoff` is the stamp of the last row that a forecast has seen, `ds` that of the row
// forecast, and yhat is in original units. Others' files may hold more (further columns, cutoffs
// and steps), but of every test window, step and channel they must hold a finite value: a score
// over the windows that somebody chose to forecast cannot be compared with any other.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/benchmark/scoring.h"

namespace pulsecast::benchmark {

// Writes forecasts of test windows, batch after batch. `rows` outlives it.
class ForecastFile {
 public:
  ForecastFile(const std::filesystem::path& path, const TestRows& rows);
  // forecast (B, C, H), scaled, of the windows from `first` on.
  void add(std::size_t first, const Forecast& forecast);
  void commit() { file_.commit(); }

 private:
  const TestRows& rows_;
  AtomicFile file_;
};

// Values of every test window, as another program forecast them.
class ReadForecasts {
 public:
  // Throws Error(kData) that counts what is missing and names the first of it, Error(kUsage) where
  // columns are missing, Error(kInputOutput). Stamps without an offset are read as those of the
  // series.
  ReadForecasts(const std::filesystem::path& path, const TestRows& rows, ThreadPool& threads);

  // Fills forecast.values (B, C, H), scaled, with the next windows.
  void predict(const Batch& batch, Forecast& forecast);
  // Rows of the file that are of no test window or step.
  std::size_t unused() const { return unused_; }

 private:
  std::vector<float> values_;  // (windows, C, H), scaled
  std::size_t next_ = 0;       // of values_
  std::size_t unused_ = 0;
};

}  // namespace pulsecast::benchmark
