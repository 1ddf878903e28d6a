#include "pulsecast/train/past_columns.h"

#include <gtest/gtest.h>

#include <string>

#include "pulsecast/base/error.h"
#include "pulsecast/base/missing.h"
#include "pulsecast/base/random.h"
#include "pulsecast/train/completion.h"
#include "pulsecast/train/fit.h"
#include "pulsecast/train/testing.h"
#include "pulsecast/train/validation.h"

namespace pulsecast::train {
namespace {

constexpr std::size_t kLead = 6;
constexpr double kNoise = 0.2;

// 'b' tells 'a' six steps before: a is b of then and a noise of 0.2 deviations, and b is noise. Of
// a itself nothing can be known, so the best forecast without b is its mean, which misses by 1 in
// scaled units; with b it is 0.04 / 1.04.
Series led_series(std::size_t rows = 1500) {
  Series series = testing::small_series(static_cast<std::int64_t>(rows), 2);
  const auto noise = [](std::uint32_t stream, std::size_t row) {
    return random::normal({.seed = 11, .step = stream}, row);
  };
  series.channels[0].name = "a";
  series.channels[1].name = "b";
  series.channels[1].role = Role::kPast;
  for (std::size_t row = 0; row < rows; ++row) {
    series.channels[0].values[row] = 7.0 + noise(0, row) + kNoise * noise(1, row);
    series.channels[1].values[row] = -3.0 + 5.0 * noise(0, row + kLead);
  }
  return series;
}

Settings small_settings(BackboneKind backbone) {
  Settings settings;
  settings.data.lookback = "24";
  settings.data.horizon = std::to_string(kLead);
  settings.data.period = 24;
  settings.data.time_features = {"hour_of_day"};
  settings.model.backbone = backbone;
  settings.model.companion = CompanionKind::kNone;
  settings.model.width = 32;
  settings.model.heads = 4;
  settings.model.layers = 1;
  settings.model.feed_forward = 32;
  settings.model.backbone_patch = 8;
  settings.model.backbone_dropout = 0.0;
  settings.training.batch = 32;
  settings.training.learning_rate = 0.003;
  settings.training.schedule = ScheduleKind::kPlain;
  settings.training.epochs = 12;
  settings.training.patience = 12;
  settings.training.loss = LossKind::kSquared;
  return settings;
}

double error_of(Series series, const Settings& settings) {
  EXPECT_TRUE(keep_what_models_read(series, settings).empty());
  ThreadPool pool(2);
  return fit(series, settings, false, {}, pool).result.best_validation;
}

void expect_to_read(const Settings& settings) {
  Series without = led_series();
  without.channels.pop_back();
  EXPECT_GT(error_of(without, settings), 0.9) << "nothing tells of it";
  EXPECT_LT(error_of(led_series(), settings), 0.2) << "the column does";
}

TEST(PastColumns, ITransformerInsidePulseReadsThem) {
  expect_to_read(small_settings(BackboneKind::kITransformer));
}

TEST(PastColumns, ITransformerAloneReadsThem) {
  Settings settings = small_settings(BackboneKind::kITransformer);
  settings.model.model = alone(BackboneKind::kITransformer);
  expect_to_read(settings);
}

TEST(PastColumns, TimeXerReadsThem) {
  Settings settings = small_settings(BackboneKind::kTimeXer);
  expect_to_read(settings);
  settings.model.model = alone(BackboneKind::kTimeXer);
  expect_to_read(settings);
}

TEST(PastColumns, ARidgeReadsThem) {
  Settings settings;
  settings.data.lookback = "24";
  settings.data.horizon = std::to_string(kLead);
  settings.data.period = 24;
  settings.model.model = alone(BackboneKind::kChannelLinear);
  for (const char* lookback : {"24", "120"}) {  // with the cycle taken off, and without
    settings.data.lookback = lookback;
    expect_to_read(settings);
  }
}

// What its moments say of the maps is what the model makes of windows.
TEST(PastColumns, TheRidgesValidationErrorIsThatOfTheModel) {
  Series series = led_series(600);
  Settings settings;
  settings.data.horizon = std::to_string(kLead);
  settings.data.period = 24;
  settings.model.model = alone(BackboneKind::kChannelLinear);
  settings.training.calibration = 0.0;
  for (const char* lookback : {"24", "120"}) {
    settings.data.lookback = lookback;
    ThreadPool pool(1);
    const Fitted fitted = fit(series, settings, false, {}, pool);
    ASSERT_EQ(fitted.plan.shape.past, 1u);
    const ScaledSeries scaled(series, fitted.scaler, fitted.plan.calendar);
    const Windows windows(scaled, fitted.plan.shape.lookback, kLead, fitted.plan.split.validation,
                          History::kReaches);
    const double measured = Validation(fitted.ensemble.lead(), windows, 32, pool).measure().mse;
    EXPECT_NEAR(measured, fitted.result.best_validation, 1e-3 * measured) << lookback;
  }
}

TEST(PastColumns, SameBitsOnAnyNumberOfThreads) {
  for (const BackboneKind kind :
       {BackboneKind::kITransformer, BackboneKind::kTimeXer, BackboneKind::kChannelLinear}) {
    Settings settings = small_settings(kind);
    settings.training.epochs = 2;
    const auto weights = [&](std::size_t threads) {
      ThreadPool pool(threads);
      const Fitted fitted = fit(led_series(300), settings, false, {}, pool);
      const auto own = fitted.ensemble.lead().parameters().weights();
      return std::vector<float>(own.begin(), own.end());
    };
    EXPECT_EQ(weights(1), weights(3));
  }
}

std::vector<std::string> said_of(Series& series, const Settings& settings) {
  return keep_what_models_read(series, settings);
}

TEST(PastColumns, WhatNoModelReadsIsLeftOutAndSaid) {
  Series series = led_series(300);
  Settings settings = small_settings(BackboneKind::kMlp);
  EXPECT_EQ(said_of(series, settings),
            (std::vector<std::string>{"1 past column is left out (b): mlp does not read them; "
                                      "itransformer, timexer and channel_linear do"}));
  EXPECT_EQ(series.channels.size(), 1u);
  series = led_series(300);
  settings.data.panel = Panel::kSeries;
  settings.model.backbone = BackboneKind::kITransformer;
  EXPECT_EQ(said_of(series, settings),
            (std::vector<std::string>{"1 past column is left out (b): windows of a panel are of "
                                      "one series and read no columns beside it"}));
  series = led_series(300);
  series.channels[0].role = Role::kKnown;
  EXPECT_THROW(said_of(series, settings), Error);
}

// A search has candidates that read them and candidates that do not: where their gaps would take
// windows from all, they are left out. Whoever asks for a model that reads them has them.
TEST(PastColumns, GapsLeaveThemOutOfASearchAlone) {
  Series series = led_series(300);
  Settings search;
  search.data.lookback = "24";
  search.data.horizon = "6";
  EXPECT_TRUE(may_try_past_reader(complete(search)));
  EXPECT_TRUE(said_of(series, search).empty());
  EXPECT_EQ(series.channels.size(), 2u);
  for (std::size_t row = 0; row < 300; row += 40) series.channels[1].values[row] = kMissing;
  Series same = series;
  EXPECT_TRUE(said_of(same, small_settings(BackboneKind::kITransformer)).empty());
  EXPECT_EQ(said_of(series, search),
            (std::vector<std::string>{"1 past column is left out (b): more than a tenth of the "
                                      "look-backs of 24 rows would have a gap"}));
  EXPECT_EQ(series.channels.size(), 1u);
}

// Every value of what a window reads must be there, and no more: a column of the past may have gaps
// where only the future of windows lies.
TEST(PastColumns, GapsCostTheWindowsThatWouldReadThem) {
  const Settings settings = small_settings(BackboneKind::kITransformer);
  ThreadPool pool(1);
  const auto windows = [&](const Series& series) {
    return fit(series, settings, false, {.rehearse = true}, pool).training_windows;
  };
  Series series = led_series(300);
  const std::size_t whole = windows(series);
  series.channels[1].values[100] = kMissing;
  EXPECT_EQ(windows(series), whole - 24);
  for (std::size_t row = 0; row < 300; row += 20) series.channels[1].values[row] = kMissing;
  try {
    windows(series);
    FAIL() << "there is no window";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("without a gap in a target, and its history none in a past "
                                   "column"),
              std::string::npos)
        << error.message();
  }
}

}  // namespace
}  // namespace pulsecast::train
