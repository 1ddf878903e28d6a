#include "pulsecast/calendar/frequency.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "pulsecast/base/random.h"

namespace pulsecast {
namespace {

// `count` stamps one step apart, from 2023-01-31 10:00 UTC on, or that much later.
std::vector<Instant> grid(const char* step, std::int64_t count, const Zone& zone = {},
                          std::int64_t days = 0) {
  const Instant anchor{1675159200000 + days * 86'400'000};
  std::vector<Instant> stamps;
  for (std::int64_t i = 0; i < count; ++i) {
    stamps.push_back(Step::parse(step).add(anchor, i, zone));
  }
  return stamps;
}

TEST(Frequency, FindsTheStepOfAGrid) {
  for (const char* step : {"500ms", "30s", "1min", "15min", "1h", "90min", "1d", "7d", "1mo", "3mo",
                           "1y", "2d", "1b"}) {
    const auto found = infer_frequency(grid(step, 40, {}, 1), Zone());
    ASSERT_TRUE(found) << step;
    EXPECT_EQ(found->step.to_string(), step);
    EXPECT_EQ(found->agreeing, 39u) << step;
    EXPECT_DOUBLE_EQ(found->agreement(), 1.0) << step;
  }
}

TEST(Frequency, DaysStayDaysAcrossAChangeOfClocks) {
  const Zone berlin = Zone::named("Europe/Berlin");
  const auto stamps = grid("1d", 100, berlin);  // 2023-03-26 has 23 hours
  const auto local = infer_frequency(stamps, berlin);
  EXPECT_EQ(local->step, Step::parse("1d"));
  EXPECT_EQ(local->agreeing, 99u);
  // Read as UTC, the days on both sides of the change do not agree.
  EXPECT_EQ(infer_frequency(stamps, Zone())->agreeing, 98u);
  EXPECT_EQ(infer_frequency(grid("1h", 5000, berlin), berlin)->agreement(), 1.0);
}

TEST(Frequency, MonthEndsAreTheirOwnStep) {
  const Zone berlin = Zone::named("Europe/Berlin");
  for (const char* step : {"1me", "3me"}) {
    for (std::int64_t count = 3; count < 40; ++count) {
      const auto found = infer_frequency(grid(step, count, berlin), berlin);
      EXPECT_EQ(found->step.to_string(), step) << count;
      EXPECT_EQ(found->agreement(), 1.0) << count;
    }
  }
  EXPECT_EQ(infer_frequency(grid("1me", 2), Zone())->step, Step::parse("1me"))
      << "31 January, 28 February";
  EXPECT_EQ(infer_frequency(grid("1y", 10), Zone())->step, Step::parse("1y"))
      << "31 January of every year is a day as well as an end";
}

TEST(Frequency, DaysWithoutWeekendsAreBusinessDays) {
  for (std::int64_t first = 0; first < 7; ++first) {
    auto stamps = grid("1b", 60, {}, first);
    if (first == 4 || first == 5) stamps.erase(stamps.begin());  // that began on the weekend
    EXPECT_EQ(infer_frequency(stamps, Zone())->step, Step::parse("1b")) << first;
    stamps.erase(stamps.begin() + 20, stamps.begin() + 22);  // holidays
    EXPECT_EQ(infer_frequency(stamps, Zone())->step, Step::parse("1b")) << first;
  }
  EXPECT_EQ(infer_frequency(grid("1d", 4), Zone())->step, Step::parse("1d"))
      << "Tuesday to Friday say nothing about weekends";
  auto with_a_saturday = grid("1b", 60);
  with_a_saturday.push_back(Step::parse("1d").add(with_a_saturday[3], 1, Zone()));
  EXPECT_EQ(infer_frequency(with_a_saturday, Zone())->step, Step::parse("1d"));
}

TEST(Frequency, CountsWhatDoesNotAgree) {
  auto stamps = grid("1h", 100);
  stamps.erase(stamps.begin() + 50, stamps.begin() + 55);
  stamps[10].milliseconds += 60000;
  const auto found = infer_frequency(stamps, Zone());
  EXPECT_EQ(found->step, Step::parse("1h"));
  EXPECT_EQ(found->intervals, 94u);
  EXPECT_EQ(found->agreeing, 91u);
}

TEST(Frequency, OrderAndRepeatsDoNotMatter) {
  auto stamps = grid("15min", 200);
  std::vector<std::uint32_t> order(stamps.size());
  random::permutation({.seed = 3}, order);
  std::vector<Instant> shuffled;
  for (const std::uint32_t i : order) shuffled.push_back(stamps[i]);
  shuffled.push_back(stamps[7]);
  const auto found = infer_frequency(shuffled, Zone());
  EXPECT_EQ(found->step, Step::parse("15min"));
  EXPECT_EQ(found->agreeing, 199u);
}

TEST(Frequency, NeedsTwoDifferentStamps) {
  EXPECT_FALSE(infer_frequency({}, Zone()));
  EXPECT_FALSE(infer_frequency(std::vector<Instant>{{5}, {5}}, Zone()));
}

}  // namespace
}  // namespace pulsecast
