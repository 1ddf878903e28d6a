// How good forecasts are on given windows, beside what costs nothing: naive, seasonal naive, drift.
//
// Every window counts, once, in order; the baselines are scored on the same ones, and the number of
// windows is part of the result. Each series is scored on its own windows: those of a panel have
// one each, and where channels are forecast together those that a window lacks are not scored.
// Whatever makes the forecasts is a function of a batch, so that a model, an ensemble and a test's
// stand-in are scored by the same code.
//
// Sums are taken channel by channel in the order of the windows: the result does not depend on the
// number of threads, nor on how windows are cut into batches.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/evaluate/scored.h"
#include "pulsecast/evaluate/seasons.h"

namespace pulsecast {

// Fills forecast.values (B, C, H), scaled, for a gathered batch. Called on the calling thread of
// evaluate(), batch after batch; may use the thread pool itself. What it leaves unfilled is NaN.
using Predictor = std::function<void(const Batch& batch, Forecast& forecast)>;

struct EvaluationOptions {
  // Windows that the predictor gets at once; 0 is up to 256, fewer where channels are many, so that
  // a batch stays near 64 MB.
  std::size_t batch = 0;
  Watch watch = {};
};

// Scores `predict` and the baselines on every window. `windows` must be of `series`, and `scaler`
// what scaled it; `train_rows` are what the usual MASE divides by, one for all targets or one for
// each, counted as in the series before it was scaled. A season whose steps do not all
// lie before the first forecast has no baseline. Throws Error(kData) where there is no window, and
// whatever `predict` throws.
Evaluation evaluate(const ScaledSeries& series, const Windows& windows, const Scaler& scaler,
                    std::span<const RowRange> train_rows, std::span<const Season> seasons,
                    const Predictor& predict, ThreadPool& threads,
                    const EvaluationOptions& options = {});
inline Evaluation evaluate(const ScaledSeries& series, const Windows& windows, const Scaler& scaler,
                           RowRange train_rows, std::span<const Season> seasons,
                           const Predictor& predict, ThreadPool& threads,
                           const EvaluationOptions& options = {}) {
  return evaluate(series, windows, scaler, std::span<const RowRange>(&train_rows, 1), seasons,
                  predict, threads, options);
}

}  // namespace pulsecast
