#include "pulsecast/train/channel_runs.h"

#include <numeric>

namespace pulsecast::train {
namespace {

// Rows of a run, histories and futures.
std::size_t rows_of(const WindowRun& run, const Windows& windows) {
  const BatchShape shape = windows.shape(1);
  return run.windows + shape.lookback + shape.horizon - 1;
}

std::size_t phase_at(const Windows& windows, std::size_t row) {
  return static_cast<std::size_t>(windows.series().phases()[row]);
}

}  // namespace

std::vector<WindowRun> runs_of(const Windows& windows, std::size_t c) {
  std::vector<WindowRun> runs;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if (!windows.has(i, c)) continue;
    const std::size_t row = windows.first_row(i);
    if (!runs.empty() && runs.back().first_row + runs.back().windows == row) {
      ++runs.back().windows;
    } else {
      runs.push_back({row, 1});
    }
  }
  return runs;
}

std::vector<double> cycle_levels(const Windows& windows, std::size_t c, std::size_t period) {
  std::vector<double> levels(period, 0.0);
  std::vector<double> counts(period, 0.0);
  const std::span<const float> values = windows.series().seen(c);
  std::size_t done = 0;  // rows before it are counted: runs may share some
  for (const WindowRun& run : runs_of(windows, c)) {
    const std::size_t end = run.first_row + rows_of(run, windows);
    for (std::size_t row = std::max(done, run.first_row); row < end; ++row) {
      levels[phase_at(windows, row)] += static_cast<double>(values[row]);
      counts[phase_at(windows, row)] += 1.0;
    }
    done = std::max(done, end);
  }
  double sum = 0.0;
  double phases = 0.0;
  for (std::size_t p = 0; p < period; ++p) {
    if (counts[p] == 0.0) continue;
    levels[p] /= counts[p];
    sum += levels[p];
    phases += 1.0;
  }
  for (std::size_t p = 0; p < period; ++p) {
    if (counts[p] > 0.0) levels[p] -= sum / phases;
  }
  return levels;
}

WindowMoments channel_moments(const Windows& windows, std::size_t c, std::size_t lookback,
                              std::span<const double> cycle) {
  const BatchShape shape = windows.shape(1);
  const std::size_t skipped = shape.lookback - lookback;
  const std::span<const float> values = windows.series().seen(c);
  WindowMoments moments(lookback, shape.horizon);
  std::vector<float> rest;
  for (const WindowRun& run : runs_of(windows, c)) {
    const std::size_t first = run.first_row + skipped;
    const std::size_t rows = rows_of(run, windows) - skipped;
    std::span<const float> own = values.subspan(first, rows);
    if (!cycle.empty()) {
      rest.assign(own.begin(), own.end());
      for (std::size_t i = 0; i < rows; ++i) {
        rest[i] -= static_cast<float>(cycle[phase_at(windows, first + i)]);
      }
      own = rest;
    }
    moments.add_run(run.windows, own);
  }
  return moments;
}

}  // namespace pulsecast::train
