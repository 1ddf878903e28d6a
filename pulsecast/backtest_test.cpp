#include "pulsecast/backtest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>

#include "pulsecast/base/testing.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/forecast/testing.h"

namespace pulsecast {
namespace {

Settings tiny_settings(const char* split = nullptr) {
  Settings settings;
  settings.data.lookback = "24";
  settings.data.horizon = "6";
  settings.data.period = 24;
  settings.model.hidden = 8;
  settings.training.epochs = 1;
  if (split != nullptr) settings.data.split = split;
  return settings;
}

class BacktestTest : public ::testing::Test {
 protected:
  Observations rows() const { return Observations(series_); }
  std::filesystem::path file(const char* name) const { return folder_.path() / name; }
  std::string text(const char* name) const {
    std::ifstream stream(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }
  std::shared_ptr<const Model> model(const char* split = "0.6,0.1,0.3") const {
    return fit(rows(), tiny_settings(split), {.threads = Threads()});
  }

  Series series_ = testing::hourly_series(240);
  pulsecast::testing::TemporaryFolder folder_;
};

void expect_same(const Backtest& found, const Backtest& expected) {
  ASSERT_EQ(found.contenders.size(), expected.contenders.size());
  for (std::size_t i = 0; i < found.contenders.size(); ++i) {
    const BacktestContender& a = found.contenders[i];
    const BacktestContender& b = expected.contenders[i];
    EXPECT_EQ(a.overall.mse, b.overall.mse) << a.name;
    EXPECT_EQ(a.overall.smape, b.overall.smape) << a.name;
    EXPECT_EQ(a.overall.bias_units, b.overall.bias_units) << a.name;
    for (std::size_t m = 0; m < a.per_month.size(); ++m) {
      EXPECT_EQ(a.per_month[m].errors.mae, b.per_month[m].errors.mae);
    }
  }
  ASSERT_EQ(found.refits.size(), expected.refits.size());
  for (std::size_t i = 0; i < found.refits.size(); ++i) {
    EXPECT_EQ(found.refits[i].validation, expected.refits[i].validation);
  }
}

TEST_F(BacktestTest, OverTheSameWindowsSaysWhatAnEvaluationSaysToTheBit) {
  series_ = testing::hourly_series(600);  // a week fits in the training rows
  const auto learnt = model();
  const Backtest past = backtest(rows(), learnt, {});
  const Evaluation evaluation = learnt->evaluate(rows()).evaluation;
  EXPECT_EQ(past.origins, evaluation.windows);
  ASSERT_EQ(past.contenders.size(), 1 + evaluation.baselines.size());
  for (std::size_t i = 0; i < past.contenders.size(); ++i) {
    const BacktestContender& found = past.contenders[i];
    const Scored& expected = i == 0 ? evaluation.model : evaluation.baselines[i - 1];
    EXPECT_EQ(found.name, expected.name);
    EXPECT_EQ(found.overall.mse, expected.scaled.overall.mse);
    EXPECT_EQ(found.overall.mae, expected.scaled.overall.mae);
    EXPECT_EQ(found.overall.rmse_units, expected.original.overall.rmse);
    for (std::size_t c = 0; c < found.per_channel.size(); ++c) {
      EXPECT_EQ(found.per_channel[c].mse, expected.scaled.per_channel[c].mse);
    }
    for (std::size_t h = 0; h < found.per_step.size(); ++h) {
      EXPECT_EQ(found.per_step[h].mae_units, expected.original.per_step[h].mae);
    }
    ASSERT_EQ(found.scaled.size(), expected.mase.size());
    for (std::size_t l = 0; l < found.scaled.size(); ++l) {
      EXPECT_EQ(found.scaled[l].mase, expected.mase[l].usual.overall);
    }
  }
}

TEST_F(BacktestTest, OriginsAreTheNewestAStrideApart) {
  const Backtest past = backtest(rows(), model(), {.stride = 5, .origins = 3});
  EXPECT_EQ(past.origins, 3u);
  EXPECT_EQ(past.last_cutoff, series_.stamps[240 - 6 - 1]);
  EXPECT_EQ(past.first_cutoff, series_.stamps[240 - 6 - 1 - 10]);
  std::size_t values = 0;
  for (const MonthErrors& month : past.contenders[0].per_month) values += month.errors.values;
  EXPECT_EQ(values, 3u * 6 * past.channels.size());
}

TEST_F(BacktestTest, OfSettingsLearnsBeforeTheFirstOrigin) {
  const Backtest past = backtest(rows(), tiny_settings(), {.stride = 6, .origins = 4});
  EXPECT_EQ(past.origins, 4u);
  EXPECT_EQ(past.first_cutoff, series_.stamps[240 - 6 - 18 - 1]);
  EXPECT_TRUE(past.refits.empty());
}

TEST_F(BacktestTest, StoppedAnywhereItGoesOnToTheSameBits) {
  const BacktestOptions whole{
      .stride = 4, .origins = 9, .refit_every = 3, .out = file("whole.csv")};
  const Backtest expected = backtest(rows(), tiny_settings(), whole);
  EXPECT_EQ(expected.refits.size(), 2u);
  EXPECT_EQ(files(), 1u) << "nothing is left beside the result";
  for (std::size_t stop = 1; stop < 12; ++stop) {
    BacktestOptions options = whole;
    options.out = file("part.csv");
    std::size_t looks = 0;
    // Cancelling is looked at after every few origins and inside every training.
    options.watch.is_cancelled = [&] { return ++looks > 4 * stop; };
    try {
      backtest(rows(), tiny_settings(), options);
      ASSERT_GT(stop, 1u);
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::kInterrupted) << error.what();
      EXPECT_FALSE(std::filesystem::exists(file("part.csv")));
    }
    options.watch = {};
    options.resume = true;
    expect_same(backtest(rows(), tiny_settings(), options), expected);
    EXPECT_EQ(text("part.csv"), text("whole.csv"));
    std::filesystem::remove(file("part.csv"));
    EXPECT_EQ(files(), 1u);
  }
}

TEST_F(BacktestTest, AnotherRunIsNotGoneOnFrom) {
  const auto learnt = model();
  BacktestOptions options{.origins = 20, .out = file("past.csv")};
  std::size_t looks = 0;
  options.watch.is_cancelled = [&] { return ++looks > 0; };
  EXPECT_THROW(backtest(rows(), learnt, options), Error);
  options.watch = {};
  options.resume = true;
  options.stride = 2;
  EXPECT_THROW(backtest(rows(), learnt, options), Error);
  options.stride = 1;
  EXPECT_GT(backtest(rows(), learnt, options).origins_before, 0u);
}

// Whatever comes later, what was forecast before it stays as it is: also with refits, whose rows
// end at their origin.
TEST_F(BacktestTest, TheFutureChangesNoForecastBeforeIt) {
  const BacktestOptions options{
      .stride = 4, .origins = 9, .refit_every = 3, .out = file("calm.csv")};
  backtest(rows(), tiny_settings(), options);
  const std::size_t from = 240 - 6 - 4 * 4;  // the first row of the fifth newest origin's future
  for (Channel& channel : series_.channels) {
    for (std::size_t row = from; row < 240; ++row) channel.values[row] += 1000.0;
  }
  BacktestOptions shaken = options;
  shaken.out = file("shaken.csv");
  backtest(rows(), tiny_settings(), shaken);
  const std::string calm = text("calm.csv");
  const std::string other = text("shaken.csv");
  // A line a channel and step; the first five origins have seen none of it.
  std::size_t same = 0;
  for (std::size_t line = 0; line <= 5 * 6 * series_.channels.size(); ++line) {
    const std::size_t end = calm.find('\n', same) + 1;
    ASSERT_EQ(calm.substr(same, end - same), other.substr(same, end - same)) << line;
    same = end;
  }
  EXPECT_NE(calm.substr(same), other.substr(same));
}

TEST_F(BacktestTest, AModelIsNoDifferentFromItselfAndItsForecastsAreItsOwn) {
  const auto learnt = model();
  const Backtest beside = backtest(rows(), learnt,
                                   {.origins = 30,
                                    .against_name = "old.model",
                                    .against_model = learnt,
                                    .out = file("past.csv")});
  EXPECT_EQ(beside.contenders.back().name, "old.model");
  EXPECT_EQ(beside.contenders.back().overall.mse, beside.contenders.front().overall.mse);
  ASSERT_TRUE(beside.contenders.back().beside.has_value());
  EXPECT_EQ(beside.contenders.back().beside->p_value, 1.0);
  const Backtest again =
      backtest(rows(), learnt,
               {.origins = 30, .against_name = "past.csv", .against_forecasts = file("past.csv")});
  EXPECT_NEAR(again.contenders.back().overall.mse, again.contenders.front().overall.mse, 1e-6);
}

TEST_F(BacktestTest, ForecastsThatAreMissingAreRefused) {
  const auto learnt = model();
  backtest(rows(), learnt, {.origins = 5, .out = file("past.csv")});
  EXPECT_THROW(
      backtest(rows(), learnt,
               {.origins = 6, .against_name = "past.csv", .against_forecasts = file("past.csv")}),
      Error);
}

// A rhythm that the model has not learnt, and that yesterday tells: that is drift, and the refit
// that follows has seen it.
TEST_F(BacktestTest, DriftRaisesTheAlarmAndTheModelLearnsAnew) {
  series_ = testing::hourly_series(600);
  for (Channel& channel : series_.channels) {
    for (std::size_t row = 0; row < 600; ++row) {
      const double day = 2.0 * std::numbers::pi * static_cast<double>(row) / 24.0;
      // Of which yesterday's doubles the error.
      const double noise = std::fmod(std::sin(static_cast<double>(row) * 12.9898) * 43758.5, 1.0);
      channel.values[row] = row < 420 ? std::sin(day) + 2.0 * noise : 5.0 * std::cos(5.0 * day);
    }
  }
  Settings settings = tiny_settings();
  settings.training.epochs = 8;
  const BacktestOptions options{.stride = 1, .origins = 250, .drift_window = 24};
  const Backtest as_it_is = backtest(rows(), settings, options);
  ASSERT_FALSE(as_it_is.alarms.empty());
  EXPECT_GE(as_it_is.alarms.front().at, series_.stamps[420]);
  BacktestOptions learning = options;
  learning.refit_on_drift = true;
  const Backtest anew = backtest(rows(), settings, learning);
  ASSERT_FALSE(anew.refits.empty());
  EXPECT_TRUE(anew.refits.front().is_by_drift);
  EXPECT_EQ(anew.refits.front().at, as_it_is.alarms.front().at);
}

}  // namespace
}  // namespace pulsecast
