#include "pulsecast/calendar/zone.h"
#include "pulsecast/calendar/civil.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "pulsecast/base/error.h"

namespace pulsecast {
namespace {

WallTime wall(int year, int month, int day, int hour = 0, int minute = 0, int second = 0) {
  WallTime result;
  result.year = year;
  result.month = month;
  result.day = day;
  result.hour = hour;
  result.minute = minute;
  result.second = second;
  return result;
}

Instant only(const Zone::Instants& instants) {
  EXPECT_EQ(instants.count, 1);
  return instants.first;
}

TEST(Zone, UtcSplitsAndJoinsKnownInstants) {
  const WallTime epoch = Zone().to_wall({0});
  EXPECT_EQ(epoch, WallTime{});  // 1970-01-01 was a Thursday
  const WallTime leap = Zone().to_wall({951'868'799'999});
  EXPECT_EQ(leap.year, 2000);
  EXPECT_EQ(leap.month, 2);
  EXPECT_EQ(leap.day, 29);
  EXPECT_EQ(leap.hour, 23);
  EXPECT_EQ(leap.millisecond, 999);
  EXPECT_EQ(leap.weekday, 1);
  EXPECT_EQ(leap.day_of_year, 60);
}

TEST(Zone, BeforeTheEpochDaysRoundDown) {
  const WallTime last = Zone().to_wall({-1});
  EXPECT_EQ(last.year, 1969);
  EXPECT_EQ(last.month, 12);
  EXPECT_EQ(last.day, 31);
  EXPECT_EQ(last.millisecond, 999);
  EXPECT_EQ(last.weekday, 2);
  EXPECT_EQ(last.day_of_year, 365);
}

TEST(Zone, WallAndInstantAreInversesInEveryZoneTried) {
  for (const char* name : {"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata",
                           "Australia/Lord_Howe", "Pacific/Apia"}) {
    const Zone zone = Zone::named(name);
    // Every 7 h 13 min of four years: all hours, all weekdays, eight clock changes.
    for (std::int64_t t = 1'451'606'400'000; t < 1'577'836'800'000; t += 433 * 60'000) {
      const Zone::Instants back = zone.to_instants(zone.to_wall({t}));
      ASSERT_GE(back.count, 1) << name << " " << t;
      EXPECT_TRUE(back.first.milliseconds == t ||
                  (back.count == 2 && back.second.milliseconds == t))
          << name << " " << t;
    }
  }
}

TEST(Zone, ADayHas23HoursInSpringAnd25InAutumn) {
  const Zone berlin = Zone::named("Europe/Berlin");
  const auto hours = [&](const WallTime& from, const WallTime& to) {
    return (only(berlin.to_instants(to)).milliseconds -
            only(berlin.to_instants(from)).milliseconds) /
           kHourMilliseconds;
  };
  EXPECT_EQ(hours(wall(2016, 3, 27), wall(2016, 3, 28)), 23);
  EXPECT_EQ(hours(wall(2016, 10, 30), wall(2016, 10, 31)), 25);
  EXPECT_EQ(hours(wall(2016, 7, 1), wall(2016, 7, 2)), 24);
}

TEST(Zone, TheRepeatedHourHasTwoInstantsAndTheSkippedOneNone) {
  const Zone berlin = Zone::named("Europe/Berlin");
  const Zone::Instants repeated = berlin.to_instants(wall(2016, 10, 30, 2, 30));
  ASSERT_EQ(repeated.count, 2);
  EXPECT_EQ(repeated.second.milliseconds - repeated.first.milliseconds, kHourMilliseconds);
  EXPECT_EQ(berlin.to_wall(repeated.first).hour, 2);
  EXPECT_EQ(berlin.to_wall(repeated.second).hour, 2);
  EXPECT_EQ(berlin.to_instants(wall(2016, 3, 27, 2, 30)).count, 0);
}

TEST(Zone, NamesRoundTripAndUtcHasOneForm) {
  EXPECT_EQ(Zone::named("Europe/Berlin").name(), "Europe/Berlin");
  EXPECT_EQ(Zone::named("UTC"), Zone());
  EXPECT_EQ(Zone::named("Etc/UTC"), Zone());
  EXPECT_TRUE(Zone::named("UTC").is_utc());
}

std::string message_for(const char* name) {
  try {
    Zone::named(name);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  ADD_FAILURE() << name << " was taken for a zone";
  return {};
}

TEST(Zone, AnUnknownNameIsRefusedWithNearMisses) {
  EXPECT_NE(message_for("Europe/Berln").find("Did you mean Europe/Berlin"), std::string::npos);
  EXPECT_NE(message_for("berlin").find("Europe/Berlin"), std::string::npos);
  EXPECT_EQ(message_for("Middle-earth/Shire").find("Did you mean"), std::string::npos);
  EXPECT_NE(message_for("").find("Expected a name such as"), std::string::npos);
}

TEST(Zone, AnInstantOutsideTheCalendarIsRefused) {
  EXPECT_THROW(Zone().to_wall({kLatestInstant.milliseconds + 1}), Error);
  EXPECT_THROW(Zone().to_wall({kEarliestInstant.milliseconds - 1}), Error);
  EXPECT_EQ(Zone().to_wall(kLatestInstant).year, 9999);
  EXPECT_EQ(Zone().to_wall(kEarliestInstant).day, 2);
}

TEST(Zone, ManyThreadsMayAskForTheFirstTime) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([] {
      const Zone zone = Zone::named("America/Sao_Paulo");
      EXPECT_EQ(zone.to_wall({1'467'331'200'000}).hour, 21);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace pulsecast
