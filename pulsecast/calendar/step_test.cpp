#include "pulsecast/calendar/step.h"

#include <gtest/gtest.h>

#include "pulsecast/base/error.h"
#include "pulsecast/base/random.h"
#include "pulsecast/calendar/civil.h"

namespace pulsecast {
namespace {

Instant at(const Zone& zone, int year, int month, int day, int hour = 0, int minute = 0) {
  WallTime wall;
  wall.year = year;
  wall.month = month;
  wall.day = day;
  wall.hour = hour;
  wall.minute = minute;
  return zone.to_instants(wall).first;
}

TEST(Step, ReadsAndPrintsUnits) {
  const std::pair<const char*, const char*> cases[] = {
      {"15min", "15min"}, {"1h", "1h"},     {"h", "1h"},     {"60min", "1h"}, {"90min", "90min"},
      {"7d", "7d"},       {"1w", "7d"},     {"1mo", "1mo"},  {"12mo", "1y"},  {"2y", "2y"},
      {"500ms", "500ms"}, {"1000ms", "1s"}, {"30 s", "30s"}, {"24h", "24h"},  {"b", "1b"},
      {"10b", "10b"},     {"1q", "3mo"},    {"4q", "1y"},    {"me", "1me"},   {"3me", "3me"}};
  for (const auto& [text, printed] : cases) {
    EXPECT_EQ(Step::parse(text).to_string(), printed) << text;
    EXPECT_EQ(Step::parse(printed), Step::parse(text)) << text;
  }
  // A calendar day keeps the wall clock, 24 hours do not.
  EXPECT_NE(Step::parse("1d"), Step::parse("24h"));
}

TEST(Step, RefusesWhatIsNoStep) {
  for (const char* text : {"", "15", "0h", "-1h", "1.5h", "1 fortnight", "1H", "min15", "1001y",
                           "9223372036854775807h", "99999999999999999999s", "1h "}) {
    try {
      Step::parse(text);
      FAIL() << "'" << text << "' was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_NE(error.message().find("got '" + std::string(text) + "'"), std::string::npos);
    }
  }
}

TEST(Step, FixedStepsCountTimeThatPasses) {
  const Zone berlin = Zone::named("Europe/Berlin");
  const Step hour = Step::parse("1h");
  EXPECT_EQ(hour.between(at(berlin, 2024, 3, 31), at(berlin, 2024, 4, 1), berlin), 23);
  EXPECT_EQ(hour.between(at(berlin, 2024, 10, 27), at(berlin, 2024, 10, 28), berlin), 25);
  EXPECT_EQ(hour.add(at(berlin, 2024, 3, 31, 1), 1, berlin), at(berlin, 2024, 3, 31, 3));
}

TEST(Step, DaysKeepTheWallClock) {
  const Zone berlin = Zone::named("Europe/Berlin");
  const Step day = Step::parse("1d");
  const Instant before = at(berlin, 2024, 3, 30, 9);
  EXPECT_EQ(day.add(before, 1, berlin), at(berlin, 2024, 3, 31, 9));
  EXPECT_EQ(day.add(before, 1, berlin).milliseconds - before.milliseconds, 23 * kHourMilliseconds);
  EXPECT_EQ(day.add(before, -1, berlin), at(berlin, 2024, 3, 29, 9));
  EXPECT_EQ(day.add(before, 365, berlin), at(berlin, 2025, 3, 30, 9));
}

TEST(Step, ASkippedTimeMovesForwardWithTheClocks) {
  const Zone berlin = Zone::named("Europe/Berlin");
  // 02:30 does not exist on 2024-03-31; the day after has it again.
  const Instant anchor = at(berlin, 2024, 3, 30, 2, 30);
  const Step day = Step::parse("1d");
  EXPECT_EQ(day.add(anchor, 1, berlin), at(berlin, 2024, 3, 31, 3, 30));
  EXPECT_EQ(day.add(anchor, 2, berlin), at(berlin, 2024, 4, 1, 2, 30));
}

TEST(Step, ARepeatedTimeIsTheEarlierOne) {
  const Zone berlin = Zone::named("Europe/Berlin");
  const Instant landed = Step::parse("1d").add(at(berlin, 2024, 10, 26, 2, 30), 1, berlin);
  WallTime wall = berlin.to_wall(landed);
  EXPECT_EQ(landed, berlin.to_instants(wall).first);
  EXPECT_EQ(berlin.to_instants(wall).count, 2);
}

TEST(Step, MonthsEndWhereTheyEnd) {
  const Zone utc;
  const Step month = Step::parse("1mo");
  const Instant january = at(utc, 2023, 1, 31);
  EXPECT_EQ(month.add(january, 1, utc), at(utc, 2023, 2, 28));
  EXPECT_EQ(month.add(january, 2, utc), at(utc, 2023, 3, 31));
  EXPECT_EQ(month.add(january, 13, utc), at(utc, 2024, 2, 29));
  EXPECT_EQ(month.add(january, -11, utc), at(utc, 2022, 2, 28));
  EXPECT_EQ(month.add(at(utc, 2024, 2, 29), 12, utc), at(utc, 2025, 2, 28));
}

TEST(Step, MonthEndsStayMonthEnds) {
  const Zone utc;
  const Step end = Step::parse("1me");
  EXPECT_EQ(end.add(at(utc, 2023, 1, 31), 1, utc), at(utc, 2023, 2, 28));
  EXPECT_EQ(end.add(at(utc, 2023, 2, 28), 1, utc), at(utc, 2023, 3, 31)) << "not the 28th";
  EXPECT_EQ(end.add(at(utc, 2024, 1, 31), 1, utc), at(utc, 2024, 2, 29));
  EXPECT_EQ(end.add(at(utc, 2024, 2, 29), 12, utc), at(utc, 2025, 2, 28));
  EXPECT_EQ(end.add(at(utc, 2024, 3, 31), -1, utc), at(utc, 2024, 2, 29));
  EXPECT_EQ(Step::parse("3me").add(at(utc, 2024, 6, 30), 2, utc), at(utc, 2024, 12, 31));
  // From within a month, the end of it comes first.
  EXPECT_EQ(end.add(at(utc, 2024, 2, 10), 1, utc), at(utc, 2024, 2, 29));
  EXPECT_EQ(end.add(at(utc, 2024, 2, 10), -1, utc), at(utc, 2024, 1, 31));
  EXPECT_EQ(end.between(at(utc, 2023, 12, 31), at(utc, 2024, 12, 30), utc), 11);
}

// Whatever it starts from, one by one or at once, every step lands on the last day of a month, at
// the same time of the clock, in the month after the one before.
TEST(Step, EveryMonthEndIsOne) {
  const Zone berlin = Zone::named("Europe/Berlin");
  const Step end = Step::parse("1me");
  const Instant start = at(berlin, 1999, 12, 31, 18, 30);
  Instant walked = start;
  for (std::int64_t i = 1; i <= 600; ++i) {
    walked = end.add(walked, 1, berlin);
    const WallTime wall = berlin.to_wall(walked);
    ASSERT_EQ(walked, end.add(start, i, berlin)) << i;
    ASSERT_TRUE(is_month_end(wall)) << i;
    ASSERT_EQ(wall.year * 12 + wall.month, 1999 * 12 + 12 + i);
    ASSERT_EQ(wall.hour * 60 + wall.minute, 18 * 60 + 30);
  }
}

TEST(Step, BusinessDaysPassOverWeekends) {
  const Zone utc;
  const Step day = Step::parse("1b");
  const Instant friday = at(utc, 2024, 5, 17, 9);
  EXPECT_EQ(day.add(friday, 1, utc), at(utc, 2024, 5, 20, 9));
  EXPECT_EQ(day.add(friday, 5, utc), at(utc, 2024, 5, 24, 9));
  EXPECT_EQ(day.add(friday, 6, utc), at(utc, 2024, 5, 27, 9));
  EXPECT_EQ(day.add(friday, -4, utc), at(utc, 2024, 5, 13, 9));
  EXPECT_EQ(day.add(friday, -5, utc), at(utc, 2024, 5, 10, 9));
  for (const int weekend : {18, 19}) {
    EXPECT_EQ(day.add(at(utc, 2024, 5, weekend), 1, utc), at(utc, 2024, 5, 20));
    EXPECT_EQ(day.add(at(utc, 2024, 5, weekend), -1, utc), at(utc, 2024, 5, 17));
  }
  EXPECT_EQ(day.between(friday, at(utc, 2024, 5, 20, 8), utc), 0);
  EXPECT_EQ(day.between(friday, at(utc, 2024, 5, 27, 9), utc), 6);
}

// From any day, across changes of clocks: never a weekend, and no working day left out.
TEST(Step, NoBusinessDayIsAWeekendAndNoneIsLeftOut) {
  const Zone berlin = Zone::named("Europe/Berlin");
  const Step business = Step::parse("1b");
  const Step day = Step::parse("1d");
  for (int first = 1; first <= 7; ++first) {
    const Instant start = at(berlin, 2024, 1, first, 2, 30);
    Instant expected = start;
    for (std::int64_t i = 1; i <= 300; ++i) {
      do {
        expected = day.add(expected, 1, berlin);
        // The skipped 02:30 of a spring Sunday must not move the days after it.
        expected = earliest_instant(berlin.to_wall(expected), berlin);
      } while (berlin.to_wall(expected).weekday >= 5);
      ASSERT_EQ(berlin.to_wall(business.add(start, i, berlin)).day, berlin.to_wall(expected).day);
      ASSERT_LT(berlin.to_wall(business.add(start, i, berlin)).weekday, 5);
      ASSERT_EQ(berlin.to_wall(business.add(start, i, berlin)).hour, 2);
    }
  }
}

// between() is the inverse of add() wherever the clock is not repeated, and never overshoots.
TEST(Step, BetweenInvertsAdd) {
  const random::Stream stream{.seed = 1};
  const Zone zones[] = {Zone(), Zone::named("Europe/Berlin"), Zone::named("America/New_York"),
                        Zone::named("Australia/Lord_Howe"), Zone::named("Asia/Kathmandu")};
  const char* const steps[] = {"15min", "1h", "1d", "7d", "1mo", "1y", "1b", "3b", "1me", "3me"};
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const Zone& zone = zones[i % std::size(zones)];
    const Step step = Step::parse(steps[i % std::size(steps)]);
    const Instant from{static_cast<std::int64_t>(random::uniform(stream, 2 * i) * 1.7e12)};
    const auto count = static_cast<std::int64_t>(random::uniform(stream, 2 * i + 1) * 400) - 200;
    const Instant to = step.add(from, count, zone);
    const std::int64_t back = step.between(from, to, zone);
    EXPECT_LE(step.add(from, back, zone), to);
    EXPECT_GT(step.add(from, back + 1, zone), to);
    EXPECT_GE(back, count) << step.to_string() << " " << zone.name() << " " << from.milliseconds;
    EXPECT_LE(back, count + (count == 0 ? 0 : 1));
  }
}

TEST(Step, BetweenFloors) {
  const Zone utc;
  const Step hour;
  EXPECT_EQ(hour.between({0}, {kHourMilliseconds - 1}, utc), 0);
  EXPECT_EQ(hour.between({0}, {-1}, utc), -1);
  EXPECT_EQ(Step::parse("1mo").between(at(utc, 2023, 1, 31), at(utc, 2023, 2, 27), utc), 0);
  EXPECT_EQ(Step::parse("1mo").between(at(utc, 2023, 1, 31), at(utc, 2023, 2, 28), utc), 1);
}

}  // namespace
}  // namespace pulsecast
