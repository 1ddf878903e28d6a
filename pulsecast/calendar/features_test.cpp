#include "pulsecast/calendar/features.h"

#include <gtest/gtest.h>

#include "pulsecast/base/error.h"
#include "pulsecast/calendar/civil.h"
#include "pulsecast/calendar/phase.h"
#include "pulsecast/calendar/zone.h"

namespace pulsecast {
namespace {

WallTime full_wall(int year, int month, int day, int hour = 0, int minute = 0) {
  WallTime time;
  time.year = year;
  time.month = month;
  time.day = day;
  time.hour = hour;
  time.minute = minute;
  return Zone().to_wall(Zone().to_instants(time).first);
}

TEST(Features, AreTheFormulasOfTheMethod) {
  const WallTime time = full_wall(2016, 7, 1, 13, 45);  // a Friday, day 183 of a leap year
  EXPECT_FLOAT_EQ(feature_value(CalendarFeature::kMinuteOfHour, time), 45.0f / 59.0f - 0.5f);
  EXPECT_FLOAT_EQ(feature_value(CalendarFeature::kHourOfDay, time), 13.0f / 23.0f - 0.5f);
  EXPECT_FLOAT_EQ(feature_value(CalendarFeature::kDayOfWeek, time), 4.0f / 6.0f - 0.5f);
  EXPECT_FLOAT_EQ(feature_value(CalendarFeature::kDayOfMonth, time), 0.0f - 0.5f);
  EXPECT_FLOAT_EQ(feature_value(CalendarFeature::kDayOfYear, time), 182.0f / 365.0f - 0.5f);
  EXPECT_FLOAT_EQ(feature_value(CalendarFeature::kMonthOfYear, time), 6.0f / 11.0f - 0.5f);
  EXPECT_FLOAT_EQ(feature_value(CalendarFeature::kSeasonOfYear, time), 1.0f / 3.0f - 0.5f);
}

TEST(Features, SeasonsBeginInMarch) {
  const std::vector<std::int32_t> seasons = {3, 3, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3};
  for (std::int32_t month = 1; month <= 12; ++month) {
    EXPECT_EQ(feature_count(CalendarFeature::kSeasonOfYear, full_wall(2017, month, 15)),
              seasons[static_cast<std::size_t>(month - 1)])
        << month;
  }
}

TEST(Features, SpanTheWholeRange) {
  const WallTime first = full_wall(2018, 1, 1);           // a Monday
  const WallTime last = full_wall(2028, 12, 31, 23, 59);  // a Sunday, day 366
  for (const CalendarFeature feature : feature_order(Step::parse("1min"))) {
    EXPECT_FLOAT_EQ(feature_value(feature, first), -0.5f) << name(feature);
    EXPECT_FLOAT_EQ(feature_value(feature, last), 0.5f) << name(feature);
  }
}

std::vector<std::string> order_names(const char* step) {
  std::vector<std::string> names;
  for (const CalendarFeature feature : feature_order(Step::parse(step))) {
    names.emplace_back(name(feature));
  }
  return names;
}

TEST(Features, OrderFollowsTheStep) {
  using Names = std::vector<std::string>;
  const Names hourly = {"hour_of_day", "day_of_week", "day_of_month", "day_of_year"};
  Names minutely = hourly;
  minutely.insert(minutely.begin(), "minute_of_hour");
  EXPECT_EQ(order_names("15min"), minutely);
  EXPECT_EQ(order_names("1h"), hourly);
  EXPECT_EQ(order_names("1d"), (Names{"day_of_week", "day_of_month", "day_of_year"}));
  EXPECT_EQ(order_names("7d"), (Names{"day_of_month", "day_of_year"}));
  EXPECT_EQ(order_names("1b"), (Names{"day_of_week", "day_of_month", "day_of_year"}));
  for (const char* step : {"1mo", "1me", "1q", "3me", "1y", "400d"}) {
    EXPECT_EQ(order_names(step), (Names{"month_of_year"})) << step;
  }
}

TEST(Features, NamesAreReadAndRefused) {
  const std::vector<std::string> good = {"day_of_week", "hour_of_day"};
  EXPECT_EQ(parse_features(good),
            (std::vector{CalendarFeature::kDayOfWeek, CalendarFeature::kHourOfDay}));
  EXPECT_THROW(parse_features(std::vector<std::string>{"hour"}), Error);
  EXPECT_THROW(parse_features(std::vector<std::string>{"hour_of_day", "hour_of_day"}), Error);
}

TEST(Phase, IsCountedFromAMondayMidnight) {
  const Step hour = Step::parse("1h");
  EXPECT_EQ(steps_since_monday(full_wall(1970, 1, 5), hour), 0);
  EXPECT_EQ(phase_of(full_wall(1970, 1, 5, 1), hour, 24), 1);
  EXPECT_EQ(phase_of(full_wall(1970, 1, 4, 23), hour, 168), 167);
  EXPECT_EQ(phase_of(full_wall(2016, 7, 1, 13), hour, 24), 13);
  EXPECT_EQ(phase_of(full_wall(2016, 7, 1, 13), hour, 168), 4 * 24 + 13);
  EXPECT_EQ(phase_of(full_wall(2016, 7, 1, 13, 50), Step::parse("15min"), 96), 13 * 4 + 3);
  EXPECT_EQ(phase_of(full_wall(2024, 5, 17), Step::parse("1d"), 7), 4);
  EXPECT_EQ(phase_of(full_wall(2024, 5, 17), Step::parse("1mo"), 12), 4);
  EXPECT_EQ(phase_of(full_wall(1969, 12, 1), Step::parse("1mo"), 12), 11);
  EXPECT_EQ(phase_of(full_wall(2024, 5, 17), hour, 1), 0);
}

TEST(Phase, OfBusinessFrequencies) {
  const Step business = Step::parse("1b");
  EXPECT_EQ(steps_since_monday(full_wall(1970, 1, 5), business), 0);
  EXPECT_EQ(steps_since_monday(full_wall(1970, 1, 12), business), 5);
  EXPECT_EQ(steps_since_monday(full_wall(1970, 1, 2), business), -1) << "the Friday before";
  EXPECT_EQ(phase_of(full_wall(2024, 5, 17), business, 5), 4) << "a Friday";
  EXPECT_EQ(phase_of(full_wall(2024, 5, 18), business, 5), 4) << "a Saturday goes with it";
  EXPECT_EQ(phase_of(full_wall(2024, 5, 20), business, 5), 0);
  EXPECT_EQ(phase_of(full_wall(2024, 2, 29), Step::parse("1me"), 12), 1);
  EXPECT_EQ(phase_of(full_wall(2023, 2, 28), Step::parse("1me"), 12), 1);
  EXPECT_EQ(phase_of(full_wall(2024, 11, 1), Step::parse("1q"), 4), 3);
  EXPECT_EQ(phase_of(full_wall(2024, 6, 30), Step::parse("3me"), 4), 1);
}

// Of every frequency: one step on is one phase on, however long the steps are.
TEST(Phase, GoesUpByOneAStep) {
  const Zone berlin = Zone::named("Europe/Berlin");
  const std::pair<const char*, std::int32_t> cases[] = {
      {"1d", 7}, {"1b", 5}, {"7d", 52}, {"1mo", 12}, {"1me", 12}, {"1q", 4}, {"3me", 4}};
  for (const auto& [text, period] : cases) {
    const Step step = Step::parse(text);
    const Instant start = berlin.to_instants(full_wall(2019, 1, 31)).first;  // a Thursday
    const std::int32_t first = phase_of(berlin.to_wall(start), step, period);
    for (std::int32_t i = 1; i < 400; ++i) {
      const WallTime wall = berlin.to_wall(step.add(start, i, berlin));
      ASSERT_EQ(phase_of(wall, step, period), (first + i) % period) << text << " " << i;
    }
  }
}

// Eight o'clock is eight o'clock: in UTC steps it would drift by one at each change of clocks.
TEST(Phase, IsRightAcrossAChangeOfClocks) {
  const Zone berlin = Zone::named("Europe/Berlin");
  const Step hour = Step::parse("1h");
  const Instant start = berlin.to_instants(full_wall(2024, 3, 25, 8)).first;
  for (std::int64_t day = 0; day < 14; ++day) {
    const Instant instant = Step::parse("1d").add(start, day, berlin);
    EXPECT_EQ(phase_of(berlin.to_wall(instant), hour, 24), 8);
    EXPECT_EQ(phase_of(berlin.to_wall(instant), hour, 168), (day % 7) * 24 + 8);
  }
}

}  // namespace
}  // namespace pulsecast
