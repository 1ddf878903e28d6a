#include "pulsecast/report/time_ticks.h"

#include <gtest/gtest.h>

#include "pulsecast/calendar/civil.h"

namespace pulsecast::report {
namespace {

Instant at(std::int64_t days, std::int64_t hours = 0) {
  return {days * kDayMilliseconds + hours * kHourMilliseconds};
}

TEST(TimeTicks, AreRoundOnTheWallAndFewEnough) {
  const auto days = time_ticks(at(0, 5), at(6), {}, 8);
  ASSERT_EQ(days.size(), 6u);
  EXPECT_EQ(days.front().text, "1970-01-02");
  const auto hours = time_ticks(at(0), at(1), {}, 8);
  EXPECT_EQ(hours[1].text, "01-01 06:00");
  const auto years = time_ticks(at(0), at(365 * 6), {}, 8);
  EXPECT_EQ(years[2].text, "1972");
  for (const std::int64_t span : {1, 20, 400, 9000, 200'000}) {
    EXPECT_LE(time_ticks(at(0), at(span), {}, 8).size(), 8u) << span;
    EXPECT_GE(time_ticks(at(0), at(span), {}, 8).size(), 2u) << span;
  }
}

TEST(TimeTicks, DaysBeginWhereTheZoneSaysSo) {
  const Zone berlin = Zone::named("Europe/Berlin");
  const auto ticks = time_ticks(at(0), at(3), berlin, 4);
  ASSERT_FALSE(ticks.empty());
  EXPECT_EQ(ticks.front().instant, at(0, 23)) << "midnight in Berlin is 23:00 of the day before";
}

}  // namespace
}  // namespace pulsecast::report
