#include "pulsecast/train/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "pulsecast/base/error.h"
#include "pulsecast/base/random.h"
#include "pulsecast/data/synthetic/synthetic.h"
#include "pulsecast/model/pulse.h"

namespace pulsecast::train {
namespace {

Series made(std::int64_t rows, std::int64_t channels, const std::string& step = "1h") {
  SyntheticSettings settings;
  settings.rows = rows;
  settings.channels = channels;
  settings.step = step;
  settings.weekly = 0.0;
  return make_series(Synthetic(settings));
}

Series noise(std::int64_t rows) {
  SyntheticSettings settings;
  settings.rows = rows;
  settings.channels = 2;
  settings.daily = settings.weekly = settings.trend = 0.0;
  return make_series(Synthetic(settings));
}

// "24: a row per phase of the period", or "" where it was not chosen.
std::string choice(const Plan& plan, const std::string& what) {
  const auto found = std::ranges::find(plan.decisions, what, &Decision::what);
  return found == plan.decisions.end() ? "" : found->value + ": " + found->why;
}

TEST(Plan, WhoLooksAcrossChannelsSaysThatGapsAreMasked) {
  Settings settings;
  settings.model.model = static_cast<ModelKind>(1 + static_cast<int>(BackboneKind::kTimesNet));
  Series series = made(2000, 3);
  EXPECT_EQ(choice(make_plan(series, settings), "gaps"), "");
  series.channels[1].values[700] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(choice(make_plan(series, settings), "gaps").find("masked"), std::string::npos);
  settings.model.model = static_cast<ModelKind>(1 + static_cast<int>(BackboneKind::kDLinear));
  EXPECT_EQ(choice(make_plan(series, settings), "gaps"), "");
}

TEST(Plan, EveryDefaultAndItsReason) {
  const Plan plan = make_plan(made(10000, 7), {});
  EXPECT_EQ(choice(plan, "horizon"), "96: the default");
  EXPECT_EQ(
      choice(plan, "split"),
      "validation on the newest 1000 of 10000 rows: nothing is held out for test without a split "
      "or a recipe");
  EXPECT_EQ(choice(plan, "period"),
            "24: the strongest cycle in the autocorrelation of the training rows");
  EXPECT_EQ(choice(plan, "time-features"),
            "hour_of_day: those that come round within the period; the day explains 94 % of the "
            "variance");
  EXPECT_EQ(choice(plan, "lookback"), "96: 4 periods, at least 96 steps");
  EXPECT_EQ(choice(plan, "codebook-rows"), "24: a row a phase of the period");
  EXPECT_EQ(choice(plan, "patch"), "24: the largest divisor of the period up to 24 that fits");
  EXPECT_EQ(choice(plan, "batch"), "256: the usual");
  EXPECT_EQ(plan.decisions.size(), 8u);

  EXPECT_EQ(plan.split, (Split{{0, 9000}, {9000, 10000}, {10000, 10000}}));
  EXPECT_EQ(plan.batch, 256u);
  EXPECT_EQ(plan.calendar.period, 24);
  EXPECT_EQ(plan.calendar.phase, PhaseSource::kTimestamp);
  const model::ModelShape& shape = plan.shape;
  EXPECT_EQ(shape.lookback, 96u);
  EXPECT_EQ(shape.horizon, 96u);
  EXPECT_EQ(shape.channels, 7u);
  EXPECT_EQ(shape.features, 1u);
  EXPECT_EQ(shape.period, 24u);
  EXPECT_EQ(shape.hidden, 512u);
  EXPECT_EQ(shape.codebook_rows, 24u);
  EXPECT_EQ(shape.patch, 24u);
  EXPECT_EQ(shape.router_width, 16u);
  EXPECT_EQ(shape.time_kernel, 5u);
  EXPECT_EQ(shape.time_width_a, 8u) << "never below 8, whatever the channels";
  EXPECT_EQ(shape.time_width_b, 8u);
  EXPECT_EQ(shape.dropout, 0.1f);
}

TEST(Plan, ValidationBlocksAreCountedAndSaid) {
  Settings settings;
  settings.data.horizon = "24";
  const Plan one = make_plan(made(10000, 2), settings);
  EXPECT_FALSE(one.spread);
  settings.training.validation_blocks = 4;
  const Plan four = make_plan(made(10000, 2), settings);
  ASSERT_TRUE(four.spread);
  EXPECT_EQ(choice(four, "validation-blocks"),
            "4: 408 origins in runs of 125 rows, one every 791 rows; no target that trains is "
            "within 24 of one");
  EXPECT_EQ(four.split.validation, (RowRange{9375, 10000}));
  EXPECT_EQ(four.split.train, (RowRange{0, 9351}));
  const Plan few = make_plan(made(400, 2), settings);
  EXPECT_EQ(choice(few, "validation-blocks"), "1: the rows allow no more");
}

TEST(Plan, ValidationBlocksThatCannotBeAreRefused) {
  Settings settings;
  settings.training.validation_blocks = 4;
  settings.data.split = "ETTh1";
  const auto refused = [&](const Series& series) {
    try {
      make_plan(series, settings);
      return std::string();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return std::string(error.what());
    }
  };
  EXPECT_NE(refused(made(17420, 2)).find("the protocol of ETTh1"), std::string::npos);
  settings.data.split.reset();
  settings.data.panel = Panel::kSeries;
  EXPECT_NE(refused(made(2000, 3)).find("each series of a panel validates"), std::string::npos);
  settings.training.validation_blocks = 1;
  EXPECT_EQ(refused(made(2000, 3)), "");
}

TEST(Plan, WhatIsGivenIsNotChosen) {
  Settings settings;
  settings.data.split = "0.7,0.1,0.2";
  settings.data.period = 12;
  settings.data.lookback = "48";
  settings.data.horizon = "10";
  settings.data.time_features = {"day_of_week"};
  settings.model.codebook_rows = 5;
  settings.model.patch = 7;
  settings.model.router_width = 3;
  settings.model.time_kernel = 9;
  settings.training.batch = 3;
  const Plan plan = make_plan(made(1000, 2), settings);
  EXPECT_TRUE(plan.decisions.empty());
  EXPECT_EQ(plan.split, (Split{{0, 700}, {700, 800}, {800, 1000}}));
  EXPECT_EQ(plan.shape.period, 12u);
  EXPECT_EQ(plan.shape.lookback, 48u);
  EXPECT_EQ(plan.shape.horizon, 10u);
  EXPECT_EQ(plan.calendar.features, std::vector{CalendarFeature::kDayOfWeek});
  EXPECT_EQ(plan.shape.codebook_rows, 5u);
  EXPECT_EQ(plan.shape.patch, 7u);
  EXPECT_EQ(plan.shape.router_width, 3u);
  EXPECT_EQ(plan.shape.time_kernel, 9u);
  EXPECT_EQ(plan.batch, 3u);
}

// Shapes and numbers of weights that the method's description gives for the recipes.
TEST(Plan, RecipesHaveTheShapesOfTheMethod) {
  const Series hourly = made(14400, 7);
  const auto planned = [](const Series& series, const char* dataset, std::int64_t horizon) {
    Settings settings;
    settings.training.recipe = dataset;
    settings.data.horizon = std::to_string(horizon);
    Plan plan = make_plan(series, settings);
    EXPECT_TRUE(plan.decisions.empty()) << dataset << ": a recipe leaves nothing open";
    return plan;
  };
  const auto weights = [](const Plan& plan) {
    return model::Pulse(plan.shape).parameters().count();
  };

  const Plan etth1 = planned(hourly, "ETTh1", 96);
  EXPECT_EQ(weights(etth1), 195270u);
  EXPECT_EQ(etth1.split, (Split{{0, 8640}, {8640, 11520}, {11520, 14400}}));
  EXPECT_EQ(etth1.batch, 256u);
  EXPECT_EQ(etth1.shape.codebook_rows, 96u);
  EXPECT_EQ(etth1.shape.patch, 24u);
  EXPECT_EQ(etth1.shape.time_width_a, 7u);
  EXPECT_EQ(etth1.calendar.phase, PhaseSource::kRow);
  EXPECT_EQ(weights(planned(hourly, "ETTh1", 720)), 3062696u);

  // At width 1 the encoder is blind to the calendar; a recipe keeps what the authors ran.
  const Plan etth2 = planned(hourly, "ETTh2", 720);
  EXPECT_EQ(etth2.shape.time_width_a, 1u);
  EXPECT_EQ(etth2.shape.time_width_b, 7u);

  const Plan weather = planned(made(3000, 21, "10min"), "Weather", 96);
  EXPECT_EQ(weights(weather), 204260u);
  EXPECT_EQ(weather.shape.period, 144u);
  EXPECT_EQ(weather.shape.features, 2u);
  EXPECT_EQ(weather.split, (Split{{0, 2100}, {2100, 2400}, {2400, 3000}}));

  const Plan electricity = planned(made(600, 321), "Electricity", 96);
  EXPECT_EQ(weights(electricity), 448564u);
  EXPECT_EQ(electricity.batch, 64u);
}

TEST(Plan, FewRowsShortenTheLookBackAndTheBatch) {
  Settings settings;
  settings.data.horizon = "12";
  settings.data.period = 24;
  const Plan plan = make_plan(made(150, 1), settings);
  EXPECT_EQ(plan.split.train.size(), 135u);
  EXPECT_EQ(plan.split.validation.size(), 15u);
  EXPECT_EQ(choice(plan, "lookback"), "48: 2 periods: the rows allow no more");
  EXPECT_EQ(choice(plan, "batch"), "8: few windows: at least 20 steps an epoch");
  // Validation holds a window even where a tenth of the rows would not.
  EXPECT_EQ(make_plan(made(100, 1), settings).split.validation.size(), 12u);
  // But no more than a third of the rows.
  settings.data.horizon = "90";
  EXPECT_EQ(make_plan(made(99, 1), settings).split.validation.size(), 33u);
}

TEST(Plan, HandfulsOfRowsNeverPlanNonsense) {
  Settings settings;
  settings.data.horizon = "1";
  for (std::int64_t rows = 1; rows < 30; ++rows) {
    const Plan plan = make_plan(made(rows, 1), settings);
    const auto count = static_cast<std::size_t>(rows);
    EXPECT_LE(plan.split.train.end, count);
    EXPECT_EQ(plan.split.validation.end, count);
    EXPECT_GE(plan.shape.lookback, 2u);
    EXPECT_GE(plan.batch, 1u);
  }
}

TEST(Plan, NoRowWithATargetIsADataError) {
  Series series = made(10, 1);
  std::ranges::fill(series.channels[0].values, std::numeric_limits<double>::quiet_NaN());
  for (const Series& none : {series, made(0, 1)}) {
    try {
      make_plan(none, {});
      ADD_FAILURE() << "planned";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      EXPECT_EQ(error.message(),
                "no row has a value of a target, so there is nothing to learn from");
    }
  }
}

TEST(Plan, WithoutACycle) {
  const Plan plan = make_plan(noise(3000), {});
  EXPECT_EQ(choice(plan, "period"),
            "1: no cycle stands out in the autocorrelation of the training rows");
  EXPECT_EQ(choice(plan, "time-features"),
            "hour_of_day, day_of_week: those that come round within a week");
  EXPECT_EQ(choice(plan, "lookback"), "96: the usual, where there is no period");
  EXPECT_EQ(choice(plan, "codebook-rows"), "1: a row a phase of the period");
  EXPECT_EQ(choice(plan, "patch"), "24: no period to follow");
}

TEST(Plan, LongPeriodsGetTheirLargestDivisor) {
  Settings settings;
  const auto with_period = [&](std::int64_t period) {
    settings.data.period = period;
    return make_plan(made(3000, 1), settings);
  };
  const Plan week = with_period(168);
  EXPECT_EQ(choice(week, "codebook-rows"), "168: a row a phase of the period");
  EXPECT_EQ(choice(week, "patch"), "24: the largest divisor of the period up to 24 that fits");
  EXPECT_EQ(choice(week, "lookback"), "168: 1 period, at least 96 steps");
  EXPECT_EQ(with_period(96).shape.codebook_rows, 96u);
  EXPECT_EQ(with_period(97).shape.codebook_rows, 1u) << "a prime above 96 has no other divisor";
  EXPECT_EQ(with_period(7).shape.lookback, 98u);
  EXPECT_EQ(with_period(7).shape.patch, 7u);
  // A patch is no longer than the horizon.
  settings.data.horizon = "5";
  EXPECT_EQ(with_period(24).shape.patch, 4u);
}

Series weekly_made(std::int64_t rows, const std::string& step) {
  SyntheticSettings settings;
  settings.rows = rows;
  settings.channels = 2;
  settings.step = step;
  return make_series(Synthetic(settings));
}

TEST(Plan, AWeekThatIsStrongIsSeen) {
  const Plan hourly = make_plan(weekly_made(5000, "1h"), {});
  EXPECT_EQ(hourly.shape.period, 168u);
  EXPECT_EQ(hourly.shape.codebook_rows, 168u);
  EXPECT_EQ(choice(hourly, "lookback"), "336: whole weeks: the week is strong");
  EXPECT_EQ(hourly.settings.data.time_features,
            (std::vector<std::string>{"hour_of_day", "day_of_week"}));
  EXPECT_NE(choice(hourly, "time-features").find("of the variance, the week "), std::string::npos);
  // Where the rows are few, whole weeks as long as there is one.
  EXPECT_EQ(choice(make_plan(weekly_made(800, "1h"), {}), "lookback"),
            "168: 1 period: the rows allow no more");
  // A week of shorter steps is too long for a look-back; the day is in it, the weekday is told.
  const Plan quarters = make_plan(weekly_made(9000, "15min"), {});
  EXPECT_EQ(quarters.shape.period, 672u);
  EXPECT_EQ(choice(quarters, "codebook-rows"), "96: a row a step of the day");
  EXPECT_EQ(choice(quarters, "lookback"), "96: whole days: a week would be too long to train on");
  EXPECT_EQ(quarters.settings.data.time_features,
            (std::vector<std::string>{"minute_of_hour", "hour_of_day", "day_of_week"}));
}

// A year of months with noise and a trend, the n-th month from January 2019.
Series monthly(std::size_t rows, const char* step) {
  Series series;
  series.step = Step::parse(step);
  Channel sales{"sales", Role::kTarget, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    series.stamps.push_back(series.step.add({1548892800000}, static_cast<std::int64_t>(i), {}));
    const double year = 2.0 * std::numbers::pi * static_cast<double>(i) *
                        series.step.mean_milliseconds() / 31556952000.0;
    sales.values.push_back(100.0 + static_cast<double>(i) + 10.0 * std::sin(year) +
                           2.0 * random::normal({.seed = 3}, i));
  }
  series.channels = {sales};
  return series;
}

TEST(Plan, SixtyMonthsAreEnough) {
  for (const char* step : {"1mo", "1me"}) {
    const Plan plan = make_plan(monthly(60, step), {});
    EXPECT_EQ(choice(plan, "horizon"), "12: a year");
    EXPECT_EQ(plan.shape.period, 12u);
    EXPECT_EQ(plan.settings.data.time_features, (std::vector<std::string>{"month_of_year"}));
    EXPECT_EQ(plan.split.validation, (RowRange{48, 60}));
    EXPECT_EQ(plan.shape.lookback, 12u);
    EXPECT_EQ(plan.shape.patch, 12u);
    EXPECT_EQ(plan.shape.codebook_rows, 12u);
  }
  EXPECT_EQ(make_plan(monthly(40, "1q"), {}).shape.horizon, 4u);
  EXPECT_EQ(make_plan(monthly(40, "3me"), {}).shape.period, 4u);
  EXPECT_EQ(choice(make_plan(monthly(30, "1mo"), {}), "horizon"), "7: a quarter of 30 rows");
  Settings settings;
  settings.data.horizon = "12mo";
  EXPECT_EQ(make_plan(monthly(60, "1me"), settings).shape.horizon, 12u);
  settings.data.horizon = "4q";
  EXPECT_EQ(make_plan(monthly(60, "1mo"), settings).shape.horizon, 12u);
}

// However few the rows, and whatever their step: what is chosen leaves room to learn and validate.
TEST(Plan, DefaultsFitTheRows) {
  for (const char* step : {"1h", "1d", "1b", "7d", "1mo", "1me", "1q", "1y"}) {
    for (std::size_t rows = 15; rows < 400; rows += 7) {
      const Plan plan = make_plan(monthly(rows, step), {});
      const std::size_t window = plan.shape.lookback + plan.shape.horizon;
      EXPECT_LE(window, plan.split.train.size()) << step << " " << rows;
      EXPECT_GE(plan.split.validation.size(), plan.shape.horizon) << step << " " << rows;
    }
  }
}

TEST(Plan, ManyChannelsTakeSmallerBatches) {
  EXPECT_EQ(choice(make_plan(made(6000, 64), {}), "batch"), "256: the usual");
  EXPECT_EQ(choice(make_plan(made(6000, 65), {}), "batch"), "64: many channels");
}

TEST(Plan, AnEpochOfManyChannelsIsAPartOfTheWindows) {
  const auto choice_of_steps = [](std::int64_t channels) {
    const Plan plan = make_plan(made(6000, channels), {});
    EXPECT_EQ(plan.epoch_steps > 0, channels == 400);
    return plan.epoch_steps == 0 ? "" : choice(plan, "steps an epoch");
  };
  EXPECT_EQ(choice_of_steps(7), "");
  EXPECT_EQ(choice_of_steps(100), "");
  EXPECT_EQ(choice_of_steps(400),
            "40: of 81 over all windows, drawn anew every epoch: many channels");
  Settings all;
  all.training.epoch_steps = 0;
  EXPECT_EQ(make_plan(made(6000, 400), all).epoch_steps, 0u);
}

TEST(Plan, TimesBecomeSteps) {
  Settings settings;
  settings.data.horizon = "2d";
  settings.data.lookback = "7d";
  const Plan hourly = make_plan(made(3000, 1), settings);
  EXPECT_EQ(hourly.shape.horizon, 48u);
  EXPECT_EQ(hourly.shape.lookback, 168u);
  const Plan quarters = make_plan(made(3000, 1, "15min"), settings);
  EXPECT_EQ(quarters.shape.horizon, 192u);
  EXPECT_EQ(quarters.shape.period, 96u);
  settings.data.horizon = "50min";
  try {
    make_plan(made(3000, 1), settings);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(error.where(), "horizon");
    EXPECT_EQ(error.message(), "'50min' is not a whole number of steps of 1h");
  }
}

TEST(Plan, KnownColumnsAreFeaturesWhereAskedForAndPastOnesAreNot) {
  Series series = made(1000, 4);
  series.channels[2].role = Role::kKnown;
  series.channels[3].role = Role::kPast;
  Settings settings;
  const Plan plan = make_plan(series, settings);
  EXPECT_EQ(plan.shape.channels, 2u);
  EXPECT_EQ(plan.shape.features, plan.calendar.features.size()) << "they have effects";
  EXPECT_FALSE(plan.known_are_inputs());
  settings.model.known_as = KnownAs::kBoth;
  EXPECT_EQ(make_plan(series, settings).shape.features, plan.calendar.features.size() + 1);
  EXPECT_TRUE(make_plan(series, settings).known_are_inputs());
  EXPECT_EQ(plan.shape.past, 0u) << "the mlp does not read them";
  EXPECT_EQ(plan.past_columns, 1u);
  for (const BackboneKind kind : {BackboneKind::kITransformer, BackboneKind::kTimeXer}) {
    settings.model.backbone = kind;
    EXPECT_EQ(make_plan(series, settings).shape.past, 1u);
  }
}

// Nothing is left out in silence: a model that reads no features cannot have known ones.
TEST(Plan, KnownColumnsAmongFeaturesThatNobodyReadsAreRefused) {
  Series series = made(1000, 2);
  series.channels[1].role = Role::kKnown;
  Settings settings;
  settings.model.known_as = KnownAs::kFeatures;
  settings.model.model = alone(BackboneKind::kDLinear);
  try {
    make_plan(series, settings);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(error.message(),
              "dlinear reads no calendar features, so that known columns cannot be among them");
    ASSERT_EQ(error.remedies().size(), 1u);
  }
  settings.model.model = alone(BackboneKind::kITransformer);
  EXPECT_EQ(make_plan(series, settings).shape.features, 2u);
}

// Rows in which only known columns go on are no rows to train or validate on.
TEST(Plan, KnownValuesBeyondTheTargetsAreNotSplit) {
  Series series = made(1000, 2);
  series.channels[1].role = Role::kKnown;
  for (std::size_t row = 900; row < 1000; ++row) {
    series.channels[0].values[row] = std::numeric_limits<double>::quiet_NaN();
  }
  EXPECT_EQ(make_plan(series, {}).split.validation, (RowRange{804, 900}));
}

// Found over the training rows alone: what comes after changes nothing that was chosen.
TEST(Plan, DoesNotLookAtTestRows) {
  Settings settings;
  settings.data.split = "2000,500,500";
  const Series series = made(3000, 2);
  Series other = series;
  for (Channel& channel : other.channels) {
    for (std::size_t row = 2000; row < 3000; ++row) {
      channel.values[row] = row % 7 < 3 ? 1e6 : -1e6;
    }
  }
  const Plan one = make_plan(series, settings);
  const Plan two = make_plan(other, settings);
  ASSERT_EQ(one.decisions.size(), two.decisions.size());
  for (std::size_t i = 0; i < one.decisions.size(); ++i) {
    EXPECT_EQ(one.decisions[i].value, two.decisions[i].value) << one.decisions[i].what;
  }
}

TEST(Plan, ShapesThatCannotBeAreAUsageError) {
  Settings settings;
  settings.model.time_kernel = 4;
  try {
    make_plan(made(1000, 1), settings);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(error.message().find("odd number"), std::string::npos);
  }
}

}  // namespace
}  // namespace pulsecast::train
