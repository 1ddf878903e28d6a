#include "pulsecast/evaluate/mismatch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "pulsecast/base/arena.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/kernels/spectrum/fft.h"

namespace pulsecast {
namespace {

constexpr std::size_t kWindowsPerTask = 64;

// Guards 0 / 0, and is far below any mean or deviation of scaled data that is not 0.
constexpr double kTiny = 1e-12;

double relative_difference(double a, double b) {
  return std::abs(a - b) / (std::abs(a) + std::abs(b) + kTiny);
}

struct Moments {
  double mean;
  double deviation;
};

// Scales `values` to mean 0 and deviation 1, where they are not constant, and says what both were.
// Spectra are scaled to sum 1 anyway; this keeps the transform, which works on rows in pairs, from
// rounding a faint row to the size of a loud neighbour.
Moments standardise(std::span<float> values) {
  double sum = 0.0;
  for (const float value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0.0;
  for (const float value : values) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / static_cast<double>(values.size()));
  const double scale = deviation > 0.0 ? 1.0 / deviation : 0.0;
  for (float& value : values) value = static_cast<float>((value - mean) * scale);
  return {mean, deviation};
}

// Amplitude spectra of rows of one length.
class Spectra {
 public:
  Spectra(const kernels::RealFft& fft, std::size_t rows, Arena& arena)
      : fft_(fft),
        transforms_(arena.allocate<float>(rows * fft.bins() * 2)),
        amplitudes_(arena.allocate<float>(rows * fft.bins())),
        scratch_(arena.allocate<float>(fft.scratch_floats())) {}

  // signals (rows, n).
  void transform(std::span<const float> signals) {
    const std::size_t rows = signals.size() / fft_.length();
    fft_.forward(signals.data(), rows, transforms_.data(), scratch_.data());
    for (std::size_t i = 0; i < rows * fft_.bins(); ++i) {
      const float re = transforms_[2 * i];
      const float im = transforms_[2 * i + 1];
      amplitudes_[i] = std::sqrt(re * re + im * im);
    }
  }

  // (bins).
  std::span<const float> of(std::size_t row) const {
    return amplitudes_.subspan(row * fft_.bins(), fft_.bins());
  }

 private:
  const kernels::RealFft& fft_;
  std::span<float> transforms_;
  std::span<float> amplitudes_;
  std::span<float> scratch_;
};

double sum_of(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// The future's spectrum is cut to the history's bins, or continued with zeros.
double spectral_distance(std::span<const float> history, std::span<const float> future) {
  future = future.first(std::min(history.size(), future.size()));
  const double history_scale = 1.0 / (sum_of(history) + kTiny);
  const double future_scale = 1.0 / (sum_of(future) + kTiny);
  double distance = 0.0;
  for (std::size_t f = 0; f < future.size(); ++f) {
    distance += std::abs(history[f] * history_scale - future[f] * future_scale);
  }
  return 0.5 * (distance + sum_of(history.subspan(future.size())) * history_scale);
}

// Sums over the windows of one task.
struct Sums {
  double mean_shift = 0.0;
  double deviation_shift = 0.0;
  double spectral = 0.0;
  std::size_t rows = 0;
};

Sums measure(Batch& batch, const kernels::RealFft& history_fft, const kernels::RealFft& future_fft,
             Arena& arena) {
  const std::size_t T = batch.shape.lookback;
  const std::size_t H = batch.shape.horizon;
  const std::size_t rows = batch.shape.samples * batch.shape.channels;
  const std::span<float> history = batch.history.first(rows * T);
  const std::span<float> future = batch.target.first(rows * H);
  const std::span<int> sides = arena.allocate<int>(rows);  // with a spectrum: 0, 1 or 2
  Sums sums;
  const auto is_there = [&](std::size_t row) {
    return batch.present.empty() || batch.present[row] != 0;
  };
  for (std::size_t row = 0; row < rows; ++row) {
    if (!is_there(row)) continue;
    ++sums.rows;
    const Moments x = standardise(history.subspan(row * T, T));
    const Moments y = standardise(future.subspan(row * H, H));
    sums.mean_shift += relative_difference(y.mean, x.mean);
    sums.deviation_shift += relative_difference(y.deviation, x.deviation);
    sides[row] = (x.deviation > 0.0 ? 1 : 0) + (y.deviation > 0.0 ? 1 : 0);
  }
  Spectra history_spectra(history_fft, rows, arena);
  Spectra future_spectra(future_fft, rows, arena);
  history_spectra.transform(history);
  future_spectra.transform(future);
  for (std::size_t row = 0; row < rows; ++row) {
    if (!is_there(row)) continue;
    // A constant has no spectrum: half the sum of the other side's, which is 1.
    sums.spectral += sides[row] == 2
                         ? spectral_distance(history_spectra.of(row), future_spectra.of(row))
                         : 0.5 * sides[row];
  }
  return sums;
}

// The means over all windows; channels are left to the caller.
Mismatch measure_windows(const Windows& windows, std::size_t lookback, std::size_t horizon,
                         ThreadPool& threads) {
  const kernels::RealFft history_fft(lookback);
  const kernels::RealFft future_fft(horizon);
  std::vector<std::uint32_t> numbers(windows.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i);
  const std::size_t tasks = (windows.size() + kWindowsPerTask - 1) / kWindowsPerTask;
  // A sum a task, added up in order: the same bits however many threads there are.
  std::vector<Sums> sums(tasks);
  std::vector<Arena> arenas(threads.size());
  threads.run(tasks, [&](std::size_t task, std::size_t worker) {
    Arena& arena = arenas[worker];
    arena.reset();
    const std::size_t first = task * kWindowsPerTask;
    const std::size_t count = std::min(kWindowsPerTask, numbers.size() - first);
    Batch batch = allocate_batch(windows.shape(count), arena);
    windows.gather_values(std::span(numbers).subspan(first, count), batch);
    sums[task] = measure(batch, history_fft, future_fft, arena);
  });

  Mismatch result{.windows = windows.size()};
  std::size_t measured = 0;
  for (const Sums& sum : sums) {
    measured += sum.rows;
    result.mean_shift += sum.mean_shift;
    result.deviation_shift += sum.deviation_shift;
    result.spectral += sum.spectral;
  }
  const auto count = static_cast<double>(measured);
  result.mean_shift /= count;
  result.deviation_shift /= count;
  result.spectral /= count;
  return result;
}

}  // namespace

Mismatch measure_mismatch(const Series& series, RowRange rows, std::size_t lookback,
                          std::size_t horizon, ThreadPool& threads) {
  const Scaler scaler = Scaler::fit(series, rows);
  const ScaledSeries scaled(series, scaler, CalendarPlan{});
  const Windows windows(scaled, lookback, horizon, rows, History::kInside);
  require_windows(windows, series, rows, "chosen", lookback, horizon);
  Mismatch result = measure_windows(windows, lookback, horizon, threads);
  result.channels = scaled.targets();
  return result;
}

Mismatch measure_panel_mismatch(const Series& series, std::span<const RowRange> rows,
                                std::size_t lookback, std::size_t horizon, ThreadPool& threads) {
  const Scaler scaler = Scaler::fit_each(series, rows, 1);
  const ScaledSeries scaled = ScaledSeries::panel(series, scaler, CalendarPlan{}, lookback);
  const WindowSize size{lookback, horizon, lookback};
  const Windows windows(scaled, size, SeriesWindows(scaled, size, rows, true, 0));
  require_windows(windows, series, {0, series.rows()}, "chosen", lookback, horizon);
  Mismatch result = measure_windows(windows, lookback, horizon, threads);
  const std::span<const std::uint32_t> first = windows.panel()->first_of_targets();
  for (std::size_t target = 0; target + 1 < first.size(); ++target) {
    result.channels += first[target + 1] > first[target] ? 1 : 0;
  }
  return result;
}

}  // namespace pulsecast
