#include "pulsecast/evaluate/evaluation.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "pulsecast/base/arena.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/windows/window_order.h"
#include "pulsecast/metrics/naive.h"
#include "pulsecast/metrics/scores.h"

namespace pulsecast {
namespace {

constexpr std::size_t kMostWindows = 256;
constexpr std::size_t kBatchFloats = std::size_t{1} << 24;

std::size_t windows_at_once(const BatchShape& one) {
  const std::size_t window = one.channels * (one.lookback + 2 * one.horizon) +
                             one.known * (one.lookback + one.horizon) + one.past * one.lookback +
                             one.features * (one.lookback + one.horizon);
  return std::clamp<std::size_t>(kBatchFloats / window, 1, kMostWindows);
}

Scores score_predictor(const Windows& windows, const Predictor& predict, ThreadPool& threads,
                       std::size_t batch_windows, const Watch& watch) {
  const auto order = WindowOrder::sequential(windows.size(), batch_windows);
  Arena arena;
  Batch batch = allocate_batch(windows.shape(order.batch(0).size()), arena);
  const Forecast memory = allocate_forecast(batch.shape, arena);
  Scores scores(memory.channels, memory.horizon);
  for (std::size_t i = 0; i < order.batches(); ++i) {
    windows.gather(order.batch(i), batch);
    Forecast forecast = memory;
    forecast.samples = batch.shape.samples;
    forecast.values = memory.values.first(forecast.samples * forecast.channels * forecast.horizon);
    std::ranges::fill(forecast.values, std::numeric_limits<float>::quiet_NaN());
    predict(batch, forecast);
    threads.run(scores.channels(), [&](std::size_t channel, std::size_t) {
      scores.add_channel(channel, forecast, batch);
    });
    watch.advance("evaluation", scores.windows(), windows.size());
  }
  return scores;
}

// Forecasts `forecast` (H) of the values that follow `past`.
using Baseline = std::function<void(std::span<const float> past, std::span<float> forecast)>;

// Straight from the series: a baseline sees all before the forecast, where a batch has T rows.
Scores score_baseline(const ScaledSeries& series, const Windows& windows, const Baseline& baseline,
                      ThreadPool& threads) {
  const BatchShape shape = windows.shape(1);
  const std::size_t H = shape.horizon;
  Scores scores(shape.channels, H);
  threads.run(shape.channels, [&](std::size_t channel, std::size_t) {
    const std::span<const float> values = series.channel(channel);
    std::vector<float> forecast(H);
    for (std::size_t window = 0; window < windows.size(); ++window) {
      const std::size_t origin = windows.first_row(window) + shape.lookback;
      baseline(values.first(origin), forecast);
      scores.channel(channel).add(forecast, values.subspan(origin, H));
    }
  });
  return scores;
}

// The denominators of MASE at one lag.
struct LagDifferences {
  std::size_t lag;
  std::vector<double> forecast_rows;  // (C)
  std::vector<double> train_rows;     // (C)
};

LagDifferences lag_differences(const ScaledSeries& series, RowRange forecast_rows,
                               RowRange train_rows, std::size_t lag) {
  LagDifferences differences{.lag = lag, .forecast_rows = {}, .train_rows = {}};
  for (std::size_t c = 0; c < series.targets(); ++c) {
    const auto mean_of = [&](RowRange rows) {
      return mean_lag_difference(series.channel(c).subspan(rows.begin, rows.size()), lag);
    };
    differences.forecast_rows.push_back(mean_of(forecast_rows));
    differences.train_rows.push_back(mean_of(train_rows));
  }
  return differences;
}

}  // namespace

Evaluation evaluate(const ScaledSeries& series, const Windows& windows, const Scaler& scaler,
                    RowRange train_rows, std::span<const Season> seasons, const Predictor& predict,
                    ThreadPool& threads, const EvaluationOptions& options) {
  assert(train_rows.begin <= train_rows.end && train_rows.end <= series.rows());
  assert(scaler.channels() == series.channels());
  if (windows.size() == 0) {
    throw make_error(ErrorKind::kData, "evaluation", "there is no window to score a forecast on")
        .with(remedy::advice("give more rows"))
        .with(remedy::smaller("lookback", "needs fewer"))
        .with(remedy::smaller("horizon", "needs fewer"));
  }
  const BatchShape shape = windows.shape(1);
  const std::size_t T = shape.lookback;
  const std::size_t first_origin = windows.first_row(0) + T;
  const RowRange forecast_rows{first_origin,
                               windows.first_row(windows.size() - 1) + T + shape.horizon};
  std::vector<LagDifferences> lags{lag_differences(series, forecast_rows, train_rows, 1)};
  for (const Season& season : seasons) {
    lags.push_back(lag_differences(series, forecast_rows, train_rows, season.steps));
  }
  const auto scales = std::span(scaler.scales()).first(shape.channels);
  const auto tabulate = [&](std::string name, std::size_t period, const Scores& scores) {
    assert(scores.windows() == windows.size());
    Scored scored{std::move(name), period, scores.table(), scores.table(scales), {}};
    const std::vector<double> errors = scores.absolute_errors();
    for (const LagDifferences& lag : lags) {
      scored.mase.push_back({.lag = lag.lag,
                             .paper = paper_mase(errors, lag.forecast_rows),
                             .usual = usual_mase(errors, lag.train_rows)});
    }
    return scored;
  };

  Evaluation evaluation{windows.size(), shape.channels, shape.horizon, {}, {}};
  evaluation.model = tabulate(
      "model", 0,
      score_predictor(windows, predict, threads,
                      options.batch == 0 ? windows_at_once(shape) : options.batch, options.watch));
  const auto add_baseline = [&](std::string name, std::size_t period, const Baseline& baseline) {
    options.watch.check("evaluation");
    evaluation.baselines.push_back(
        tabulate(std::move(name), period, score_baseline(series, windows, baseline, threads)));
  };
  add_baseline("naive", 0, naive_forecast);
  for (const Season& season : seasons) {
    if (season.steps > first_origin) continue;
    add_baseline("seasonal naive (" + season.name + ")", season.steps,
                 [&](std::span<const float> past, std::span<float> forecast) {
                   seasonal_naive_forecast<float>(past, season.steps, forecast);
                 });
  }
  add_baseline("drift", 0, [&](std::span<const float> past, std::span<float> forecast) {
    drift_forecast(past.last(T), forecast);
  });
  return evaluation;
}

}  // namespace pulsecast
