// For tests: hourly series, and a model of few weights that can forecast them. Nothing is trained;
// what forecasting does with rows and weights does not depend on how good the weights are.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "pulsecast/base/missing.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/forecast/session.h"

namespace pulsecast::testing {

inline constexpr std::size_t kLookback = 36;
inline constexpr std::size_t kHorizon = 10;

// From 2024-01-01 00:00 UTC on: targets 'a' and 'b' with a cycle of a day and something that never
// repeats, and the known column 'plan'.
inline Series hourly_series(std::size_t rows, bool with_known = false) {
  Series series;
  series.source = "load.csv";
  series.step = Step::parse("1h");
  series.channels = {{"a", Role::kTarget, {}}, {"b", Role::kTarget, {}}};
  if (with_known) series.channels.push_back({"plan", Role::kKnown, {}});
  for (std::size_t row = 0; row < rows; ++row) {
    series.stamps.push_back({1'704'067'200'000 + static_cast<std::int64_t>(row) * 3'600'000});
    const double hour = static_cast<double>(row);
    for (std::size_t c = 0; c < series.channels.size(); ++c) {
      const double own = static_cast<double>(c + 1);
      series.channels[c].values.push_back(10.0 * own + std::sin(hour * 6.283185307 / 24.0) +
                                          0.3 * std::sin(own * hour * hour));
    }
  }
  return series;
}

// The first `rows` rows.
inline Series head(Series series, std::size_t rows) {
  series.stamps.resize(rows);
  for (Channel& channel : series.channels) channel.values.resize(rows);
  return series;
}

// All rows but the first `rows`.
inline Series tail(Series series, std::size_t rows) {
  const auto count = static_cast<std::ptrdiff_t>(rows);
  series.stamps.erase(series.stamps.begin(), series.stamps.begin() + count);
  for (Channel& channel : series.channels) {
    channel.values.erase(channel.values.begin(), channel.values.begin() + count);
  }
  return series;
}

// A model as if it had been trained on the series.
inline artifact::Model untrained_model(const Series& series,
                                       PhaseSource phase = PhaseSource::kTimestamp,
                                       std::int32_t period = 24) {
  artifact::Model model;
  std::size_t known = 0;
  std::size_t past = 0;  // which an mlp would not read
  for (const Channel& channel : series.channels) {
    model.channels.push_back({channel.name, channel.role});
    known += channel.role == Role::kKnown ? 1 : 0;
    past += channel.role == Role::kPast ? 1 : 0;
  }
  model.settings.model.known_as = KnownAs::kFeatures;
  model.calendar = {{CalendarFeature::kHourOfDay}, period, phase};
  model.step = series.step;
  model.zone = series.zone;
  model.phase_origin = series.stamps.front();
  model.scaler = Scaler::fit(series, {0, series.rows()});
  model.ensemble = model::Ensemble(std::make_unique<model::Pulse>(
      model::ModelShape{.lookback = kLookback,
                        .horizon = kHorizon,
                        .channels = series.channels.size() - known - past,
                        .features = 1 + known,
                        .past = past,
                        .period = static_cast<std::size_t>(period),
                        .backbone = past > 0 ? BackboneKind::kITransformer : BackboneKind::kMlp,
                        .hidden = 8,
                        .sizes = {.width = 8, .heads = 2, .feed_forward = 8},
                        .codebook_rows = 8,
                        .time_kernel = 3,
                        .time_width_a = 4,
                        .time_width_b = 4,
                        .patch = 5,
                        .router_width = 4}));
  model.ensemble.lead().initialise(3);
  return model;
}

// A model with all that forecasts with it.
class ReadyModel {
 public:
  explicit ReadyModel(artifact::Model model) : model_(std::move(model)) {}

  SeriesForecast forecast(const Series& series, const ForecastOptions& options = {}) {
    return session_.forecast(series, options);
  }
  const artifact::Model& model() const { return model_; }

 private:
  ThreadPool pool_{1};
  artifact::Model model_;
  ForecastSession session_{model_, pool_};
};

}  // namespace pulsecast::testing
