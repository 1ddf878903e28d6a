#include "pulsecast/benchmark/scoring.h"

#include "pulsecast/evaluate/seasons.h"
#include "pulsecast/metrics/window_error.h"

namespace pulsecast::benchmark {
namespace {

// The mean errors of each window of a batch.
void add_windows(const Batch& batch, const Forecast& forecast, WindowErrors& errors) {
  const std::size_t values = forecast.channels * forecast.horizon;
  for (std::size_t b = 0; b < forecast.samples; ++b) {
    const WindowError sums =
        window_error(values, forecast.values.data() + b * values, batch.target.data() + b * values);
    errors.squared.push_back(static_cast<float>(sums.squared / static_cast<double>(values)));
    errors.absolute.push_back(static_cast<float>(sums.absolute / static_cast<double>(values)));
  }
}

// The first channel of sample `b`.
void keep_example(const Batch& batch, const Forecast& forecast, std::size_t b,
                  ExampleWindow& example) {
  const auto copy = [&](std::span<const float> values, std::size_t length) {
    const auto part = values.subspan(b * batch.shape.channels * length, length);
    return std::vector<float>(part.begin(), part.end());
  };
  example.history = copy(batch.history, batch.shape.lookback);
  example.truth = copy(batch.target, batch.shape.horizon);
  example.forecast = copy(forecast.values, batch.shape.horizon);
}

std::vector<RowRange> parts_of(const train::Plan& plan, RowRange Split::*part) {
  std::vector<RowRange> rows;
  for (const Split& split : plan.series_splits) rows.push_back(split.*part);
  return rows;
}

Scaler scaler_of(const Series& series, const train::Plan& plan) {
  if (!plan.is_panel()) return Scaler::fit(series, plan.split.train);
  return Scaler::fit_each(series, parts_of(plan, &Split::train), plan.shape.period);
}

ScaledSeries scaled_by(const Scaler& scaler, const Series& series, const train::Plan& plan,
                       const KnownUse& known) {
  if (!plan.is_panel()) return {series, scaler, plan.calendar, 0, known};
  return ScaledSeries::panel(series, scaler, plan.calendar, plan.shape.lookback, 0, known);
}

Windows test_windows(const ScaledSeries& scaled, const train::Plan& plan) {
  const model::ModelShape& shape = plan.shape;
  if (!plan.is_panel()) {
    return {scaled, shape.lookback, shape.horizon, plan.split.test, History::kReaches};
  }
  const WindowSize size{shape.lookback, shape.horizon, shape.period};
  return {scaled, size, SeriesWindows(scaled, size, parts_of(plan, &Split::test), false, 0)};
}

}  // namespace

TestRows::TestRows(const Series& series, const train::Plan& plan, const Effects* effects,
                   const StaticProfiles* profiles)
    : series_(series),
      plan_(plan),
      scaler_(scaler_of(series, plan)),
      scaled_(scaled_by(scaler_, series, plan, {effects, plan.known_are_inputs(), profiles})),
      windows_(test_windows(scaled_, plan)) {
  require_windows(windows_, series, plan.split.test, "test", plan.shape.lookback,
                  plan.shape.horizon);
}

std::vector<RowRange> TestRows::trained() const {
  if (plan_.is_panel()) return parts_of(plan_, &Split::train);
  return {plan_.split.train};
}

ForecastWindows TestRows::forecast_windows() const {
  ForecastWindows all{.series = series_,
                      .scaler = scaler_,
                      .channels = plan_.shape.channels,
                      .horizon = plan_.shape.horizon,
                      .first_targets = {}};
  for (std::size_t window = 0; window < windows_.size(); ++window) {
    all.first_targets.push_back(first_target(window));
    if (plan_.is_panel()) all.targets.push_back(static_cast<std::uint32_t>(target_of(window, 0)));
  }
  return all;
}

Scoring score(const TestRows& rows, const Predictor& predict, ThreadPool& threads,
              const ForecastWatcher& watch) {
  Scoring scoring;
  WindowErrors& errors = scoring.errors;
  const std::size_t example = rows.windows().size() / 2;
  const auto predict_and_watch = [&](const Batch& batch, Forecast& forecast) {
    predict(batch, forecast);
    const std::size_t first = errors.squared.size();
    add_windows(batch, forecast, errors);
    if (first <= example && example < errors.squared.size()) {
      keep_example(batch, forecast, example - first, errors.example);
    }
    if (watch) watch(first, batch, forecast);
  };
  const std::vector<RowRange> trained = rows.trained();
  const Evaluation evaluation =
      evaluate(rows.scaled(), rows.windows(), rows.scaler(), trained,
               seasons_of(rows.series().step), predict_and_watch, threads);
  scoring.mse = evaluation.model.scaled.overall.mse;
  scoring.mae = evaluation.model.scaled.overall.mae;
  for (const MaseAtLag& each : evaluation.model.mase) {
    scoring.mase.push_back({each.lag, each.paper.overall, each.usual.overall});
  }
  for (const Scored& baseline : evaluation.baselines) {
    const Errors& overall = baseline.scaled.overall;
    scoring.baselines.push_back({baseline.name, overall.mse, overall.mae});
  }
  for (const Errors& step : evaluation.model.scaled.per_step) {
    errors.step_squared.push_back(static_cast<float>(step.mse));
    errors.step_absolute.push_back(static_cast<float>(step.mae));
  }
  for (std::size_t window = 0; window < rows.windows().size(); ++window) {
    errors.first_rows.push_back(static_cast<double>(rows.first_target(window)));
  }
  errors.example.channel = rows.series().channels[rows.target_of(example, 0)].name;
  return scoring;
}

}  // namespace pulsecast::benchmark
