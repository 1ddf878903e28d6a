#include "pulsecast/calendar/stamp_column.h"
#include "pulsecast/calendar/civil.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "pulsecast/base/error.h"
#include "pulsecast/calendar/instant_text.h"

namespace pulsecast {
namespace {

using Texts = std::vector<std::string>;

std::string line(std::size_t row) { return fmt::format("file.csv:{}", row + 2); }

StampColumn decide(const Texts& texts, const StampRules& rules = {},
                   const std::vector<std::uint32_t>& series = {}) {
  PackedStamps stamps;
  for (const std::string& text : texts) stamps.push_back(read_stamp(text));
  PackedRows<std::uint32_t> rows;
  for (const std::uint32_t id : series) rows.push_back(id);
  return decide_stamps(stamps, rows, rules, line);
}

// What the column means, in UTC.
Texts utc(const StampColumn& column) {
  Texts texts;
  for (const Instant instant : column.instants) texts.push_back(to_text(instant, Zone()));
  return texts;
}

std::string refusal(const Texts& texts, const StampRules& rules = {}) {
  try {
    decide(texts, rules);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
  ADD_FAILURE() << "was not refused";
  return {};
}

TEST(StampColumn, OneRowThatLeavesNoChoiceDecidesTheOrder) {
  EXPECT_EQ(utc(decide({"01/02/2024", "25/02/2024"})),
            (Texts{"2024-02-01 00:00:00", "2024-02-25 00:00:00"}));
  EXPECT_EQ(utc(decide({"01/02/2024", "02/25/2024"})),
            (Texts{"2024-01-02 00:00:00", "2024-02-25 00:00:00"}));
}

TEST(StampColumn, AnOrderThatStaysOpenIsRefusedAndASettingSettlesIt) {
  const Texts open = {"01/02/2024 00:00", "01/02/2024 01:00"};
  const std::string message = refusal(open);
  EXPECT_NE(message.find("file.csv:2"), std::string::npos) << message;
  EXPECT_NE(message.find("day-order = day-first"), std::string::npos) << message;
  EXPECT_EQ(utc(decide(open, {.zone = {}, .day_first = true}))[0], "2024-02-01 00:00:00");
  EXPECT_EQ(utc(decide(open, {.zone = {}, .day_first = false}))[0], "2024-01-02 00:00:00");
  // The same day either way is not open.
  EXPECT_EQ(utc(decide({"03/03/2024"}))[0], "2024-03-03 00:00:00");
}

TEST(StampColumn, TwoOrdersInOneColumnAreRefusedWithBothRows) {
  const std::string message = refusal({"25/01/2024", "01/02/2024", "01/26/2024"});
  EXPECT_NE(message.find("file.csv:2"), std::string::npos) << message;
  EXPECT_NE(message.find("file.csv:4"), std::string::npos) << message;
  const StampColumn forced = decide({"25/01/2024", "01/26/2024"}, {.zone = {}, .day_first = true});
  ASSERT_EQ(forced.faults.size(), 1U);
  EXPECT_EQ(forced.faults[0].row, 1U);
  EXPECT_EQ(forced.faults[0].cause, "01/26/2024 00:00 is no date with the day first");
}

TEST(StampColumn, NumbersAreSecondsOrMillisecondsBySize) {
  EXPECT_EQ(utc(decide({"1467331200"}))[0], "2016-07-01 00:00:00");
  EXPECT_EQ(utc(decide({"1467331200.5"}))[0], "2016-07-01 00:00:00.500");
  EXPECT_EQ(utc(decide({"1467331200000"}))[0], "2016-07-01 00:00:00");
  EXPECT_EQ(utc(decide({"20160701"}))[0], "2016-07-01 00:00:00");
  EXPECT_EQ(decide({"1467331200"}).form, "seconds since 1970");
  EXPECT_NE(refusal({"1467331200", "1467331200000"}).find("cannot be told apart"),
            std::string::npos);
  EXPECT_NE(refusal({"1", "2", "3"}).find("time-column names another column"), std::string::npos);
}

TEST(StampColumn, FourDigitsInEveryRowAreYears) {
  const StampColumn column = decide({"1998", "1999", "2000"});
  EXPECT_EQ(column.form, "years");
  EXPECT_TRUE(column.shows_wall_clock);
  EXPECT_EQ(utc(column),
            (Texts{"1998-01-01 00:00:00", "1999-01-01 00:00:00", "2000-01-01 00:00:00"}));
  EXPECT_NE(refusal({"1998", "1999", "20000101"}).find("2 like years"), std::string::npos);
}

TEST(StampColumn, OffsetsGiveInstantsWhateverTheZone) {
  const Texts texts = {"2024-07-01T02:00+02:00", "2024-07-01T01:00Z"};
  EXPECT_EQ(utc(decide(texts)), (Texts{"2024-07-01 00:00:00", "2024-07-01 01:00:00"}));
  EXPECT_EQ(decide(texts, {.zone = Zone::named("Asia/Tokyo"), .day_first = {}}).instants,
            decide(texts).instants);
}

TEST(StampColumn, RowsThatDifferFromTheRestAreFaults) {
  const StampColumn column = decide({"2024-07-01", "01/07/2024", "2024-07-02", "2024-07-03Z",
                                     "2024-07-03 00:00Z", "", "soon", "2024-07-04"});
  ASSERT_EQ(column.faults.size(), 5U);
  EXPECT_NE(column.faults[0].cause.find("another form"), std::string::npos);
  EXPECT_EQ(column.faults[1].kind, StampFault::Kind::kUnreadable);
  EXPECT_NE(column.faults[2].cause.find("has an offset while the rest have none"),
            std::string::npos);
  EXPECT_EQ(column.faults[3].kind, StampFault::Kind::kEmpty);
  EXPECT_EQ(column.faults[4].row, 6U);
}

Texts berlin_autumn() {
  return {"2016-10-30 01:00", "2016-10-30 02:00", "2016-10-30 02:30",
          "2016-10-30 02:00", "2016-10-30 02:30", "2016-10-30 03:00"};
}

TEST(StampColumn, TheRepeatedHourIsTwoHoursInFileOrder) {
  const StampRules berlin{.zone = Zone::named("Europe/Berlin"), .day_first = {}};
  EXPECT_EQ(utc(decide(berlin_autumn(), berlin)),
            (Texts{"2016-10-29 23:00:00", "2016-10-30 00:00:00", "2016-10-30 00:30:00",
                   "2016-10-30 01:00:00", "2016-10-30 01:30:00", "2016-10-30 02:00:00"}));
}

TEST(StampColumn, AFileThatRunsBackwardsHasTheSameRepeatedHour) {
  const StampRules berlin{.zone = Zone::named("Europe/Berlin"), .day_first = {}};
  const Texts forwards = berlin_autumn();
  const Texts backwards(forwards.rbegin(), forwards.rend());
  Texts expected = utc(decide(forwards, berlin));
  std::ranges::reverse(expected);
  EXPECT_EQ(utc(decide(backwards, berlin)), expected);
}

TEST(StampColumn, SeriesThatAlternateEachHaveTheirOwnRepeatedHour) {
  const StampRules berlin{.zone = Zone::named("Europe/Berlin"), .day_first = {}};
  const StampColumn column =
      decide({"2016-10-30 02:00", "2016-10-30 02:00", "2016-10-30 02:00", "2016-10-30 02:00"},
             berlin, {0, 1, 0, 1});
  EXPECT_EQ(column.instants[0], column.instants[1]);
  EXPECT_EQ(column.instants[2], column.instants[3]);
  EXPECT_EQ(column.instants[2].milliseconds - column.instants[0].milliseconds, kHourMilliseconds);
}

TEST(StampColumn, TheSkippedHourIsAFault) {
  const StampRules berlin{.zone = Zone::named("Europe/Berlin"), .day_first = {}};
  const StampColumn column =
      decide({"2016-03-27 01:00", "2016-03-27 02:30", "2016-03-27 03:00"}, berlin);
  ASSERT_EQ(column.faults.size(), 1U);
  EXPECT_EQ(column.faults[0].row, 1U);
  EXPECT_EQ(column.faults[0].kind, StampFault::Kind::kSkippedHour);
  EXPECT_EQ(column.faults[0].cause, "the clocks of Europe/Berlin skip 2016-03-27 02:30");
  EXPECT_EQ(column.instants[2].milliseconds - column.instants[0].milliseconds, kHourMilliseconds);
}

// Every hour of four years, written as a wall clock shows it, comes back: 23- and 25-hour days too.
TEST(StampColumn, WallClocksOfManyZonesRoundTrip) {
  for (const char* name : {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"}) {
    const Zone zone = Zone::named(name);
    Texts texts;
    std::vector<Instant> expected;
    for (std::int64_t t = 1'451'606'400'000; t < 1'577'836'800'000; t += kHourMilliseconds / 2) {
      expected.push_back({t});
      texts.push_back(to_text(Instant{t}, zone));
    }
    const StampColumn column = decide(texts, {.zone = zone, .day_first = {}});
    EXPECT_TRUE(column.faults.empty()) << name;
    EXPECT_EQ(std::vector<Instant>(column.instants.begin(), column.instants.end()), expected)
        << name;
  }
}

TEST(InstantText, IsoTextIsReadBackToTheSameInstant) {
  const Zone kolkata = Zone::named("Asia/Kolkata");
  EXPECT_EQ(to_iso_text({0}, kolkata), "1970-01-01T05:30:00+05:30");
  EXPECT_EQ(to_iso_text({250}, Zone()), "1970-01-01T00:00:00.250Z");
  EXPECT_EQ(to_iso_text({0}, Zone::named("America/New_York")), "1969-12-31T19:00:00-05:00");
  EXPECT_EQ(decide({to_iso_text({1'234'567}, kolkata)}).instants[0].milliseconds, 1'234'567);
}

}  // namespace
}  // namespace pulsecast
