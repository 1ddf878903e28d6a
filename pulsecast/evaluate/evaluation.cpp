#include "pulsecast/evaluate/evaluation.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "pulsecast/base/arena.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/windows/window_order.h"
#include "pulsecast/evaluate/baselines.h"
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

void add_scores(const Windows& windows, std::span<const std::uint32_t> numbers,
                const Forecast& forecast, const Batch& batch, ThreadPool& threads, Scores& scores) {
  if (const SeriesWindows* panel = windows.panel()) {
    const std::size_t H = forecast.horizon;
    for (std::size_t b = 0; b < numbers.size(); ++b) {
      scores.channel(panel->place(numbers[b]).target)
          .add(forecast.values.subspan(b * H, H), batch.target.subspan(b * H, H));
    }
    return;
  }
  threads.run(scores.channels(), [&](std::size_t channel, std::size_t) {
    scores.add_channel(channel, forecast, batch);
  });
}

Scores score_predictor(const ScaledSeries& series, const Windows& windows, const Predictor& predict,
                       ThreadPool& threads, std::size_t batch_windows, const Watch& watch) {
  const auto order = WindowOrder::sequential(windows.size(), batch_windows);
  Arena arena;
  Batch batch = allocate_batch(windows.shape(order.batch(0).size()), arena);
  const Forecast memory = allocate_forecast(batch.shape, arena);
  Scores scores(series.targets(), memory.horizon);
  std::size_t done = 0;
  for (std::size_t i = 0; i < order.batches(); ++i) {
    windows.gather(order.batch(i), batch);
    Forecast forecast = memory;
    forecast.samples = batch.shape.samples;
    forecast.values = memory.values.first(forecast.samples * forecast.channels * forecast.horizon);
    std::ranges::fill(forecast.values, std::numeric_limits<float>::quiet_NaN());
    predict(batch, forecast);
    add_scores(windows, order.batch(i), forecast, batch, threads, scores);
    done += batch.shape.samples;
    watch.advance("evaluation", done, windows.size());
  }
  return scores;
}

// Calls visit(origin) for every window that has the target: the row of its first value to forecast.
template <typename Visit>
void for_each_origin(const Windows& windows, std::size_t target, Visit&& visit) {
  if (const SeriesWindows* panel = windows.panel()) {
    const std::span<const std::uint32_t> first_of = panel->first_of_targets();
    for (std::size_t window = first_of[target]; window < first_of[target + 1]; ++window) {
      visit(panel->place(window).origin);
    }
    return;
  }
  const std::size_t T = windows.shape(1).lookback;
  for (std::size_t window = 0; window < windows.size(); ++window) {
    if (windows.has(window, target)) visit(windows.first_row(window) + T);
  }
}

// Straight from the series: a baseline sees all before the forecast, where a batch has T rows.
Scores score_baseline(const ScaledSeries& series, const Windows& windows, const Baseline& baseline,
                      ThreadPool& threads) {
  const std::size_t H = windows.shape(1).horizon;
  Scores scores(series.targets(), H);
  threads.run(series.targets(), [&](std::size_t channel, std::size_t) {
    const std::span<const float> values = series.channel(channel);
    std::vector<float> forecast(H);
    for_each_origin(windows, channel, [&](std::size_t row) {
      const std::size_t origin = row - series.first_row(channel);
      baseline.forecast(values.first(origin), forecast);
      scores.channel(channel).add(forecast, values.subspan(origin, H));
    });
  });
  return scores;
}

// Rows from the first value forecast of a target to the last; empty where it has no window.
RowRange rows_forecast(const Windows& windows, std::size_t target) {
  RowRange rows;
  for_each_origin(windows, target, [&](std::size_t origin) {
    if (rows.size() == 0) rows.begin = origin;
    rows.end = origin + windows.shape(1).horizon;
  });
  return rows;
}

// The denominators of MASE at one lag.
struct LagDifferences {
  std::size_t lag;
  std::vector<double> forecast_rows;  // (C)
  std::vector<double> train_rows;     // (C)
};

LagDifferences lag_differences(const ScaledSeries& series, std::span<const RowRange> forecast_rows,
                               std::span<const RowRange> train_rows, std::size_t lag) {
  LagDifferences differences{.lag = lag, .forecast_rows = {}, .train_rows = {}};
  for (std::size_t c = 0; c < series.targets(); ++c) {
    const auto mean_of = [&](RowRange rows) {
      // A target without a window has no part in any mean.
      if (forecast_rows[c].size() == 0) return std::numeric_limits<double>::quiet_NaN();
      const std::size_t first = series.first_row(c);
      const std::size_t end = std::min(rows.end, first + series.channel(c).size());
      const std::size_t begin = std::max(rows.begin, first);
      return mean_lag_difference(
          series.channel(c).subspan(begin - first, std::max(begin, end) - begin), lag);
    };
    const RowRange own = train_rows[train_rows.size() == 1 ? 0 : c];
    differences.forecast_rows.push_back(mean_of(forecast_rows[c]));
    differences.train_rows.push_back(mean_of({series.lead() + own.begin, series.lead() + own.end}));
  }
  return differences;
}

}  // namespace

Evaluation evaluate(const ScaledSeries& series, const Windows& windows, const Scaler& scaler,
                    std::span<const RowRange> train_rows, std::span<const Season> seasons,
                    const Predictor& predict, ThreadPool& threads,
                    const EvaluationOptions& options) {
  assert(train_rows.size() == 1 || train_rows.size() == series.targets());
  assert(scaler.channels() == series.channels());
  if (windows.size() == 0) {
    throw make_error(ErrorKind::kData, "evaluation", "there is no window to score a forecast on")
        .with(remedy::advice("give more rows"))
        .with(remedy::smaller("lookback", "needs fewer"))
        .with(remedy::smaller("horizon", "needs fewer"));
  }
  const BatchShape shape = windows.shape(1);
  const std::size_t T = shape.lookback;
  std::vector<RowRange> forecast_rows;
  for (std::size_t c = 0; c < series.targets(); ++c) {
    forecast_rows.push_back(rows_forecast(windows, c));
  }
  // What the first forecast of each looks back on: a baseline must have a season in one of them.
  std::size_t seen = 0;
  for (std::size_t c = 0; c < series.targets(); ++c) {
    if (forecast_rows[c].size() > 0) {
      seen = std::max(seen, forecast_rows[c].begin - series.first_row(c));
    }
  }
  std::vector<LagDifferences> lags{lag_differences(series, forecast_rows, train_rows, 1)};
  for (const Season& season : seasons) {
    lags.push_back(lag_differences(series, forecast_rows, train_rows, season.steps));
  }
  const auto scales = std::span(scaler.scales()).first(series.targets());
  const auto tabulate = [&](std::string name, std::size_t period, const Scores& scores) {
    Scored scored{std::move(name), period, scores.table(), scores.table(scales), {}};
    const std::vector<double> errors = scores.absolute_errors();
    for (const LagDifferences& lag : lags) {
      scored.mase.push_back({.lag = lag.lag,
                             .paper = paper_mase(errors, lag.forecast_rows),
                             .usual = usual_mase(errors, lag.train_rows)});
    }
    return scored;
  };

  const auto scored = std::ranges::count_if(forecast_rows, [](RowRange r) { return r.size() > 0; });
  Evaluation evaluation{windows.size(), static_cast<std::size_t>(scored), shape.horizon, {}, {}};
  evaluation.model = tabulate(
      "model", 0,
      score_predictor(series, windows, predict, threads,
                      options.batch == 0 ? windows_at_once(shape) : options.batch, options.watch));
  for (const Baseline& baseline : baselines_for(seasons, seen, T)) {
    options.watch.check("evaluation");
    evaluation.baselines.push_back(tabulate(baseline.name, baseline.period,
                                            score_baseline(series, windows, baseline, threads)));
  }
  return evaluation;
}

}  // namespace pulsecast
