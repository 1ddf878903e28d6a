#include "pulsecast/forecast/forecast_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pulsecast/base/error.h"
#include "pulsecast/forecast/forecast_text.h"
#include "pulsecast/forecast/testing.h"

namespace pulsecast {
namespace {

using testing::head;
using testing::hourly_series;
using testing::kHorizon;
using testing::ReadyModel;
using testing::untrained_model;

constexpr std::size_t kSeen = 150;  // rows up to which the model was calibrated

// Scores between -2 and 2 at every step, without a local scale.
artifact::Model calibrated_model(const Series& series, std::size_t scores = 500) {
  artifact::Model model = untrained_model(series);
  const std::size_t C = model.shape().channels;
  std::vector<float> quantiles;
  for (std::size_t i = 0; i < C * kHorizon; ++i) {
    for (const double probability : calibrate::kProbabilities) {
      quantiles.push_back(static_cast<float>(4.0 * probability - 2.0));
    }
  }
  std::vector<calibrate::ScoreSet> sets(C);
  for (calibrate::ScoreSet& set : sets) set.scores = scores;
  model.ranges.emplace(kHorizon, std::move(sets), std::move(quantiles));
  model.origin.validated = {100, 50, series.stamps[100], series.stamps[kSeen - 1]};
  return model;
}

TEST(ForecastRanges, LieAroundTheForecastInItsOwnUnits) {
  const Series series = head(hourly_series(200), kSeen);
  ReadyModel ready(calibrated_model(series));
  const SeriesForecast forecast = ready.forecast(series, {.levels = {80.0}, .quantiles = {0.5}});
  EXPECT_EQ(forecast.corrected_by, 0u);
  for (std::size_t c = 0; c < 2; ++c) {
    const ChannelForecast& channel = forecast.channels[c];
    const double unit = ready.model().scaler.scales()[c];
    ASSERT_EQ(channel.ranges.size(), 1u);
    for (std::size_t h = 0; h < kHorizon; ++h) {
      EXPECT_NEAR(channel.ranges[0].low[h], channel.values[h] - 1.6 * unit, 1e-5);
      EXPECT_NEAR(channel.ranges[0].high[h], channel.values[h] + 1.6 * unit, 1e-5);
      EXPECT_NEAR(channel.quantiles[0].values[h], channel.values[h], 1e-6);
    }
  }
}

TEST(ForecastRanges, AreHeldToTheBoundsThatAreAskedFor) {
  const Series series = head(hourly_series(200), kSeen);
  ReadyModel ready(calibrated_model(series));
  const SeriesForecast forecast = ready.forecast(
      series, {.min = 10.0, .max = 11.0, .levels = {50.0, 95.0}, .quantiles = {0.1}});
  for (const ChannelForecast& channel : forecast.channels) {
    for (const ForecastRange& range : channel.ranges) {
      EXPECT_GE(std::ranges::min(range.low), 10.0);
      EXPECT_LE(std::ranges::max(range.high), 11.0);
    }
    EXPECT_GE(std::ranges::min(channel.quantiles[0].values), 10.0);
  }
}

TEST(ForecastRanges, AChannelWithAGapHasNone) {
  Series series = head(hourly_series(200), kSeen);
  series.channels[0].values[kSeen - 3] = kMissing;
  ReadyModel ready(calibrated_model(series));
  const SeriesForecast forecast = ready.forecast(series, {.levels = {80.0}});
  EXPECT_TRUE(forecast.channels[0].ranges.empty());
  EXPECT_EQ(forecast.channels[1].ranges.size(), 1u);
  const std::string csv = to_long_csv(forecast, false);
  EXPECT_TRUE(csv.starts_with("unique_id,ds,cutoff,yhat,status,yhat_lo_80,yhat_hi_80\n")) << csv;
  EXPECT_NE(csv.find(",seasonal_naive,,\n"), std::string::npos) << csv;
}

// Rows that came after calibration and are far from what was said move the ranges; those that a
// forecast may not see do not.
TEST(ForecastRanges, AreCorrectedByMatureRowsAlone) {
  Series series = hourly_series(200);
  for (std::size_t row = kSeen; row < 200; ++row) series.channels[0].values[row] += 30.0;
  ReadyModel ready(calibrated_model(series));
  const ForecastOptions all{.levels = {80.0}};
  const SeriesForecast corrected = ready.forecast(series, all);
  EXPECT_EQ(corrected.corrected_by, 50u) << "a step has come of each";
  const auto reach = [](const SeriesForecast& forecast, std::size_t c, std::size_t h) {
    return forecast.channels[c].ranges[0].high[h] - forecast.channels[c].values[h];
  };
  EXPECT_GT(reach(corrected, 0, 0), 1.6 * ready.model().scaler.scales()[0] * 1.01);

  ForecastOptions at = all;
  at.at = series.stamps[kSeen + 20];
  const SeriesForecast then = ready.forecast(series, at);
  Series other = series;
  for (std::size_t row = kSeen + 21; row < 200; ++row) other.channels[0].values[row] = -500.0;
  const SeriesForecast as_if = ready.forecast(other, at);
  EXPECT_EQ(then.channels[0].ranges[0].high, as_if.channels[0].ranges[0].high);
  EXPECT_EQ(then.channels[0].ranges[0].high,
            ready.forecast(head(series, kSeen + 21), all).channels[0].ranges[0].high);
}

TEST(ForecastRanges, OfManyOriginsAreThoseOfEach) {
  const Series series = hourly_series(200);
  ThreadPool pool(1);
  const artifact::Model model = calibrated_model(series);
  ForecastSession session(model, pool);
  const std::vector<Instant> origins = {series.stamps[120], series.stamps[170], series.stamps[181]};
  const ForecastOptions options{.levels = {80.0}};
  const std::vector<SeriesForecast> many = session.forecast(series, origins, options);
  for (std::size_t i = 0; i < origins.size(); ++i) {
    ForecastOptions one = options;
    one.at = origins[i];
    EXPECT_EQ(many[i].channels[1].ranges[0].low,
              session.forecast(series, one).channels[1].ranges[0].low);
  }
}

TEST(ForecastRanges, AreRefusedWithWhatToDo) {
  const Series series = head(hourly_series(200), kSeen);
  const auto refusal = [&](artifact::Model model, const ForecastOptions& options) {
    try {
      ReadyModel(std::move(model)).forecast(series, options);
    } catch (const Error& error) {
      EXPECT_FALSE(error.remedies().empty());
      return error.message();
    }
    return std::string();
  };
  EXPECT_NE(refusal(untrained_model(series), {.levels = {80.0}}).find("the model has none"),
            std::string::npos);
  EXPECT_NE(refusal(calibrated_model(series, 5), {.levels = {95.0}}).find("takes 39 scores"),
            std::string::npos);
}

}  // namespace
}  // namespace pulsecast
