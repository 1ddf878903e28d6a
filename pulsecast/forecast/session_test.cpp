#include "pulsecast/forecast/session.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pulsecast/base/error.h"
#include "pulsecast/forecast/testing.h"

namespace pulsecast {
namespace {

using testing::head;
using testing::hourly_series;
using testing::kHorizon;
using testing::kLookback;
using testing::ReadyModel;
using testing::tail;
using testing::untrained_model;
using Status = ChannelForecast::Status;

void expect_same(const SeriesForecast& found, const SeriesForecast& expected) {
  EXPECT_EQ(found.cutoff, expected.cutoff);
  EXPECT_EQ(found.stamps, expected.stamps);
  ASSERT_EQ(found.channels.size(), expected.channels.size());
  for (std::size_t c = 0; c < found.channels.size(); ++c) {
    EXPECT_EQ(found.channels[c].channel, expected.channels[c].channel);
    EXPECT_EQ(found.channels[c].status, expected.channels[c].status);
    EXPECT_EQ(found.channels[c].values, expected.channels[c].values);
    EXPECT_EQ(found.channels[c].anchor, expected.channels[c].anchor);
    EXPECT_EQ(found.channels[c].scale, expected.channels[c].scale);
  }
}

std::string refusal(ReadyModel& ready, const Series& series, const ForecastOptions& options = {}) {
  try {
    ready.forecast(series, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
  return "";
}

TEST(Forecast, AtIsTheForecastOfTheRowsUpToThen) {
  const Series series = hourly_series(200);
  for (const PhaseSource phase : {PhaseSource::kTimestamp, PhaseSource::kRow}) {
    ReadyModel ready(untrained_model(series, phase));
    for (const std::size_t rows : {kLookback, kLookback + 1, std::size_t{101}, std::size_t{200}}) {
      const SeriesForecast expected = ready.forecast(head(series, rows));
      const Instant last = series.stamps[rows - 1];
      expect_same(ready.forecast(series, {.at = last, .min = {}, .max = {}}), expected);
      const Instant half_past{last.milliseconds + 1'800'000};
      expect_same(ready.forecast(series, {.at = half_past, .min = {}, .max = {}}), expected);
    }
  }
}

TEST(Forecast, ReadsTheLookBackAndNothingBefore) {
  const Series series = hourly_series(150);
  for (const PhaseSource phase : {PhaseSource::kTimestamp, PhaseSource::kRow}) {
    ReadyModel ready(untrained_model(series, phase));
    const SeriesForecast expected = ready.forecast(series);
    for (const std::size_t gone : {std::size_t{1}, std::size_t{31}, 150 - kLookback}) {
      expect_same(ready.forecast(tail(series, gone)), expected);
    }
    Series other = series;
    other.channels[0].values[150 - kLookback - 1] = 99.0;
    expect_same(ready.forecast(other), expected);
    other.channels[0].values[150 - kLookback] += 0.5;
    EXPECT_NE(ready.forecast(other).channels[0].values, expected.channels[0].values);
  }
}

// Columns of the past are read up to the last row with targets, and not a step further: whatever
// comes later in them, or whether anything does, changes no bit.
TEST(Forecast, ReadsColumnsOfThePastUpToTheLastRowAndNoFurther) {
  Series series = hourly_series(150);
  series.channels.push_back(hourly_series(150).channels[1]);
  series.channels.back().name = "wind";
  series.channels.back().role = Role::kPast;
  ReadyModel ready(untrained_model(series));
  constexpr std::size_t kEnd = 120;
  const ForecastOptions then{.at = series.stamps[kEnd - 1], .min = {}, .max = {}};
  const SeriesForecast expected = ready.forecast(series, then);
  expect_same(ready.forecast(head(series, kEnd)), expected);

  Series other = series;
  std::vector<double>& wind = other.channels[2].values;
  std::ranges::fill(wind.begin() + kEnd, wind.end(), 99.0);
  wind[kEnd - kLookback - 1] = -99.0;
  expect_same(ready.forecast(other, then), expected);
  std::ranges::fill(wind.begin() + kEnd, wind.end(), kMissing);
  expect_same(ready.forecast(other, then), expected);
  const std::vector<Instant> origins{series.stamps[kEnd - 1], series.stamps[kEnd - 2]};
  ThreadPool pool(3);
  ForecastSession session(ready.model(), pool);
  const SeriesForecast beside = session.forecast(other, origins, {.min = {}, .max = {}}).front();
  for (std::size_t h = 0; h < kHorizon; ++h) {
    EXPECT_NEAR(beside.channels[0].values[h], expected.channels[0].values[h], 1e-5);
  }
  wind[kEnd - 1] += 0.5;
  EXPECT_NE(ready.forecast(other, then).channels[0].values, expected.channels[0].values);

  wind[kEnd - 3] = kMissing;
  EXPECT_NE(refusal(ready, other, then)
                .find("the model reads this column of the past, which has no value at "
                      "2024-01-05 21:00:00; it must have one in each of 36 rows of history"),
            std::string::npos)
      << refusal(ready, other, then);
  series.channels.pop_back();
  EXPECT_NE(refusal(ready, series).find("the model needs a column that is not there: wind"),
            std::string::npos);
}

// The scaler and the way back are the only places where units count.
TEST(Forecast, IsInTheUnitsOfTheRows) {
  const Series series = hourly_series(120);
  Series milli = series;
  for (double& value : milli.channels[1].values) value = 1000.0 * value - 5.0;
  ReadyModel ready(untrained_model(series));
  ReadyModel ready_milli(untrained_model(milli));
  const SeriesForecast plain = ready.forecast(series);
  const SeriesForecast scaled = ready_milli.forecast(milli);
  EXPECT_EQ(scaled.channels[0].values, plain.channels[0].values);
  EXPECT_NEAR(scaled.channels[1].scale, 1000.0 * plain.channels[1].scale, 0.01);
  for (std::size_t h = 0; h < kHorizon; ++h) {
    EXPECT_NEAR(scaled.channels[1].values[h], 1000.0 * plain.channels[1].values[h] - 5.0, 0.01);
    EXPECT_NEAR(scaled.channels[1].anchor[h], 1000.0 * plain.channels[1].anchor[h] - 5.0, 0.01);
  }
}

TEST(Forecast, StampsFollowTheLastRowOnTheWallClock) {
  Series series = hourly_series(48);
  series.zone = Zone::named("Europe/Berlin");
  series.step = Step::parse("1d");
  // Noon, up to the day before the clocks go forward.
  for (std::size_t row = 0; row < 48; ++row) {
    series.stamps[row] = {1'707'649'200'000 + static_cast<std::int64_t>(row) * 86'400'000};
  }
  ReadyModel ready(untrained_model(series));
  const SeriesForecast forecast = ready.forecast(head(series, 48));
  ASSERT_EQ(forecast.stamps.size(), kHorizon);
  for (std::size_t h = 0; h < kHorizon; ++h) {
    EXPECT_EQ(series.zone.to_wall(forecast.stamps[h]).hour,
              series.zone.to_wall(forecast.cutoff).hour);
  }
}

TEST(Forecast, ComponentsAddUpBeforeBoundsAreHeld) {
  const Series series = hourly_series(100);
  ReadyModel ready(untrained_model(series));
  const SeriesForecast free = ready.forecast(series);
  const double middle = free.channels[0].values[kHorizon / 2];
  const SeriesForecast held =
      ready.forecast(series, {.at = {}, .min = middle, .max = middle + 0.1});
  int changed = 0;
  for (std::size_t c = 0; c < 2; ++c) {
    const ChannelForecast& channel = free.channels[c];
    EXPECT_EQ(channel.status, Status::kOk);
    EXPECT_EQ(channel.reason, "");
    EXPECT_GT(channel.scale, 0.0);
    EXPECT_EQ(held.channels[c].anchor, channel.anchor);
    EXPECT_EQ(held.channels[c].residual, channel.residual);
    for (std::size_t h = 0; h < kHorizon; ++h) {
      EXPECT_NEAR(channel.anchor[h] + channel.residual[h], channel.values[h], 1e-12);
      EXPECT_EQ(held.channels[c].values[h], std::clamp(channel.values[h], middle, middle + 0.1));
      changed += held.channels[c].values[h] != channel.values[h];
    }
  }
  EXPECT_GT(changed, 0);
}

TEST(Forecast, AGapCostsItsOwnChannelAndNoOther) {
  const Series series = hourly_series(120);
  ReadyModel ready(untrained_model(series));
  const SeriesForecast whole = ready.forecast(series);
  EXPECT_TRUE(whole.is_whole());
  Series gap = series;
  gap.channels[1].values[99] = kMissing;
  const SeriesForecast forecast = ready.forecast(gap);
  EXPECT_FALSE(forecast.is_whole());
  EXPECT_EQ(forecast.channels[0].values, whole.channels[0].values);
  const ChannelForecast& naive = forecast.channels[1];
  EXPECT_EQ(naive.status, Status::kSeasonalNaive);
  EXPECT_EQ(naive.reason, "1 of the last 36 values is missing");
  EXPECT_TRUE(naive.anchor.empty());
  for (std::size_t h = 0; h < kHorizon; ++h) {
    // A day earlier, or two where a day earlier is the gap.
    const std::size_t row = 120 + h - 24;
    EXPECT_EQ(naive.values[h], series.channels[1].values[row == 99 ? row - 24 : row]) << h;
  }
  const SeriesForecast held = ready.forecast(gap, {.at = {}, .min = 20.0, .max = 20.25});
  for (const double value : held.channels[1].values) EXPECT_TRUE(value >= 20.0 && value <= 20.25);

  gap.channels[1].values[100] = kMissing;
  EXPECT_EQ(ready.forecast(gap).channels[1].reason, "2 of the last 36 values are missing");
  gap.channels[1].values = series.channels[1].values;
  gap.channels[1].values[120 - kLookback - 1] = kMissing;
  EXPECT_TRUE(ready.forecast(gap).is_whole()) << "a gap before the look-back is none";
}

// Steps beyond the first period repeat the last one before the cutoff, also where the rows after
// the cutoff are there to be read.
TEST(Forecast, ASeasonalNaiveValueIsNeverOfTheFuture) {
  Series series = hourly_series(120);
  ReadyModel ready(untrained_model(series, PhaseSource::kTimestamp, 6));
  series.channels[0].values[90] = kMissing;
  const SeriesForecast at = ready.forecast(series, {.at = series.stamps[99], .min = {}, .max = {}});
  expect_same(at, ready.forecast(head(series, 100)));
  for (std::size_t h = 0; h < kHorizon; ++h) {
    EXPECT_EQ(at.channels[0].values[h], series.channels[0].values[94 + h % 6]) << h;
  }
}

// Rows in which one channel has stopped count as rows of the others.
TEST(Forecast, AChannelThatStoppedIsForecastFromItsOwnLastValues) {
  const Series series = hourly_series(120);
  ReadyModel ready(untrained_model(series));
  Series dead = series;
  for (std::size_t row = 70; row < 120; ++row) dead.channels[0].values[row] = kMissing;
  const SeriesForecast forecast = ready.forecast(dead);
  EXPECT_EQ(forecast.cutoff, series.stamps.back());
  EXPECT_EQ(forecast.channels[0].status, Status::kSeasonalNaive);
  for (std::size_t h = 0; h < kHorizon; ++h) {
    const std::size_t row = 120 + h - 72;
    EXPECT_EQ(forecast.channels[0].values[h], series.channels[0].values[row < 70 ? row : row - 24]);
  }
  for (double& value : dead.channels[0].values) value = kMissing;
  const ChannelForecast level = ready.forecast(dead).channels[0];
  EXPECT_EQ(level.status, Status::kLevel);
  EXPECT_EQ(level.values, std::vector<double>(kHorizon, ready.model().scaler.means()[0]));
}

TEST(Forecast, AValueTooFarOutIsLikeAGap) {
  const Series series = hourly_series(120);
  ReadyModel ready(untrained_model(series));
  Series far = series;
  far.channels[1].values[99] = 1e300;
  const SeriesForecast forecast = ready.forecast(far);
  EXPECT_EQ(forecast.channels[0].values, ready.forecast(series).channels[0].values);
  EXPECT_EQ(forecast.channels[1].status, Status::kSeasonalNaive);
  EXPECT_EQ(forecast.channels[1].reason,
            "1 of the last 36 values is missing or too far out to compute with");
  EXPECT_EQ(forecast.channels[1].values[3], series.channels[1].values[75]) << "not the one of 99";
}

TEST(Forecast, KnownColumnsAreReadUpToTheHorizon) {
  const Series all = hourly_series(110, true);
  Series series = all;
  for (std::size_t c = 0; c < 2; ++c) {
    std::fill(series.channels[c].values.begin() + 100, series.channels[c].values.end(), kMissing);
  }
  ReadyModel ready(untrained_model(all));
  const SeriesForecast forecast = ready.forecast(series);
  EXPECT_EQ(forecast.cutoff, all.stamps[99]) << "the last row with a target";
  Series other = series;
  other.channels[2].values[109] += 5.0;
  EXPECT_NE(ready.forecast(other).channels[0].values, forecast.channels[0].values);

  other.channels[2].values[104] = kMissing;
  EXPECT_EQ(refusal(ready, other),
            "load.csv: the known column 'plan' has no value at 2024-01-05 08:00:00; it must have "
            "one in each of 36 rows of history and 10 steps to forecast");
  EXPECT_NE(refusal(ready, head(series, 109)).find("no value 10 steps after the last target"),
            std::string::npos);
}

TEST(Forecast, TooFewRowsAndRowsThatEndTooSoonAreRefused) {
  const Series series = hourly_series(100);
  ReadyModel ready(untrained_model(series));
  EXPECT_EQ(refusal(ready, head(series, kLookback - 1)),
            "load.csv: a forecast needs 36 rows of history and has only 35");
  EXPECT_EQ(refusal(ready, series, {.at = series.stamps[0], .min = {}, .max = {}}),
            "load.csv: a forecast needs 36 rows of history and has only 1 up to 2024-01-01 "
            "00:00:00");
  const Instant next{series.stamps.back().milliseconds + 3'600'000};
  EXPECT_EQ(refusal(ready, series, {.at = next, .min = {}, .max = {}}),
            "load.csv: a forecast from 2024-01-05 04:00:00 was asked for, and the last row with "
            "targets is of 2024-01-05 03:00:00");
  EXPECT_NO_THROW(ready.forecast(head(series, kLookback)));
}

}  // namespace
}  // namespace pulsecast
