#include "pulsecast/data/series/cycles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "pulsecast/base/missing.h"
#include "pulsecast/base/random.h"
#include "pulsecast/data/series/calendar_plan.h"

namespace pulsecast {
namespace {

using Cycle = CycleStrength::Cycle;

struct Made {
  double day = 0.0;
  double week = 0.0;  // lower on Saturdays and Sundays
  double year = 0.0;
  double noise = 1.0;
  double persistence = 0.0;
  double level = 0.0;
};

Series made(const char* step, std::size_t rows, const Made& parts, std::uint64_t seed = 1) {
  Series series;
  series.step = Step::parse(step);
  Channel channel{"x", Role::kTarget, {}};
  double noise = 0.0;
  for (std::size_t i = 0; i < rows; ++i) {
    const Instant stamp = series.step.add({1546300800000}, static_cast<std::int64_t>(i), {});
    const WallTime wall = Zone().to_wall(stamp);
    series.stamps.push_back(stamp);
    noise = parts.persistence * noise + random::normal({.seed = seed}, i);
    const auto turn = [](double part) { return std::sin(2.0 * std::numbers::pi * part); };
    channel.values.push_back(parts.level + parts.day * turn(wall.hour / 24.0) -
                             (wall.weekday >= 5 ? parts.week : 0.0) +
                             parts.year * turn(wall.day_of_year / 365.25) + parts.noise * noise);
  }
  series.channels = {channel};
  return series;
}

std::string strong_cycles(const Series& series) {
  std::string names;
  for (const CycleStrength& cycle : measure_cycles(series, {0, series.rows()})) {
    if (cycle.is_strong())
      names += std::string(names.empty() ? "" : " ") + name(cycle.cycle).data();
  }
  return names;
}

TEST(Cycles, EachIsFoundBesideTheOthers) {
  EXPECT_EQ(strong_cycles(made("1h", 4000, {.day = 2.0})), "day");
  EXPECT_EQ(strong_cycles(made("1h", 4000, {.week = 1.0})), "week");
  EXPECT_EQ(strong_cycles(made("1h", 4000, {.day = 5.0, .week = 1.0})), "day week")
      << "the day is five times as large, and what it leaves is the week's";
  EXPECT_EQ(strong_cycles(made("1d", 1500, {.week = 1.0, .year = 1.0})), "week year");
  EXPECT_EQ(strong_cycles(made("1b", 1200, {.year = 1.0})), "year");
  EXPECT_EQ(strong_cycles(made("7d", 260, {.year = 1.0})), "year");
  EXPECT_EQ(strong_cycles(made("1mo", 48, {.year = 2.0})), "year");
  EXPECT_EQ(strong_cycles(made("1q", 24, {.year = 2.0})), "year");
}

TEST(Cycles, SharesAreOfWhatFasterOnesLeave) {
  // A sine of variance 1/2 on noise of 1: a third. Weekends lower by 1: 10/49, of 59/49 a sixth.
  const auto cycles = measure_cycles(made("1h", 20000, {.day = 1.0, .week = 1.0}), {0, 20000});
  ASSERT_GE(cycles.size(), 2u);
  EXPECT_NEAR(cycles[0].share, 1.0 / 3.0, 0.03);
  EXPECT_NEAR(cycles[1].share, 10.0 / 59.0, 0.03);
}

// Persistence is no cycle, however few cycles there are.
TEST(Cycles, NoiseHasNone) {
  for (const double persistence : {0.0, 0.5, 0.9, 0.99}) {
    int found = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const Made noise{.persistence = persistence};
      for (const auto& [step, rows] : {std::pair{"1h", 1500}, {"1d", 1500}, {"1mo", 40}}) {
        found += strong_cycles(made(step, static_cast<std::size_t>(rows), noise, 50 + seed)).empty()
                     ? 0
                     : 1;
      }
    }
    EXPECT_LE(found, 6) << "of 90 with persistence " << persistence;
  }
}

TEST(Cycles, GapsAndConstantsDoNotMatter) {
  Series series = made("1h", 4000, {.day = 2.0, .week = 2.0});
  for (std::size_t i = 1000; i < 1400; ++i) series.channels[0].values[i] = kMissing;
  series.channels.push_back({"flat", Role::kTarget, std::vector<double>(4000, 7.0)});
  series.channels.push_back({"none", Role::kTarget, std::vector<double>(4000, kMissing)});
  EXPECT_EQ(strong_cycles(series), "day week");
}

TEST(Cycles, ALargeLevelDoesNotHideThem) {
  Made small{.day = 0.06, .week = 0.03, .noise = 0.02, .level = 1e9};
  EXPECT_EQ(strong_cycles(made("1h", 4000, small)), "day week");
}

TEST(Cycles, OfTooFewRowsAreNotAsked) {
  const Series series = made("1h", 500, {.day = 1.0});
  EXPECT_EQ(measure_cycles(series, {0, 71}).size(), 0u);
  EXPECT_EQ(measure_cycles(series, {0, 72}).size(), 1u);
  EXPECT_EQ(measure_cycles(made("1y", 40, {}), {0, 40}).size(), 0u);
}

std::string chosen(const Series& series) {
  const CalendarPlan plan = plan_calendar(series, {0, series.rows()}, {}).plan;
  std::string text = std::to_string(plan.period);
  for (const CalendarFeature feature : plan.features) text += " " + std::string(name(feature));
  return text;
}

TEST(CalendarPlan, HourlyRowsWithAWeeklyRhythmSeeTheWeekday) {
  // Autocorrelation names the day: the week is a twentieth of the variance.
  const Series series = made("1h", 6000, {.day = 3.0, .week = 1.0});
  EXPECT_EQ(chosen(series), "168 hour_of_day day_of_week");
  EXPECT_EQ(chosen(made("1h", 6000, {.day = 3.0})), "24 hour_of_day");
  EXPECT_EQ(chosen(made("5min", 12000, {.day = 3.0, .week = 1.0})),
            "2016 minute_of_hour hour_of_day day_of_week");
}

TEST(CalendarPlan, OfBusinessFrequencies) {
  EXPECT_EQ(chosen(made("1d", 1500, {.week = 2.0})), "7 day_of_week");
  EXPECT_EQ(chosen(made("1d", 1500, {.week = 2.0, .year = 1.0})), "7 day_of_week day_of_year");
  EXPECT_EQ(chosen(made("1b", 300, {.noise = 1.0})), "1 day_of_week");
  EXPECT_EQ(chosen(made("7d", 300, {.year = 2.0})), "52 day_of_year");
  EXPECT_EQ(chosen(made("1mo", 60, {.year = 3.0})), "12 month_of_year");
  EXPECT_EQ(chosen(made("1mo", 40, {.year = 3.0})), "12 month_of_year")
      << "three years are too few for autocorrelation, not for the calendar";
  EXPECT_EQ(chosen(made("1q", 40, {.year = 3.0})), "4 month_of_year");
}

}  // namespace
}  // namespace pulsecast
