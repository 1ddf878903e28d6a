#include "pulsecast/calendar/stamp.h"
#include "pulsecast/calendar/civil.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "pulsecast/base/random.h"

namespace pulsecast {
namespace {

using Form = Stamp::Form;

TEST(Stamp, YearFirstFormsGiveTheSameParts) {
  for (const char* text :
       {"2024-07-01", "2024/07/01", "2024/7/1", "2024.07.01", " 2024-07-01\t", "2024-07",
        "2024-07-01T00:00", "2024-07-01 00:00:00", "2024-07-01  00:00:00.000", "20240701T0000",
        "20240701 000000", "2024-07-01 12:00 AM", "2024-07-01t00:00:00,0", "2024Q3", "2024-Q3",
        "2024 q3"}) {
    const Stamp stamp = read_stamp(text);
    EXPECT_EQ(stamp.form, Form::kYearFirst) << text;
    EXPECT_EQ(stamp.year, 2024) << text;
    EXPECT_EQ(stamp.first, 7) << text;
    EXPECT_EQ(stamp.second, 1) << text;
    EXPECT_EQ(stamp.thousandths, 0) << text;
    EXPECT_FALSE(stamp.has_offset) << text;
  }
}

TEST(Stamp, OpenOrderKeepsTheOrderAsWritten) {
  for (const char* text : {"31/12/2024", "31.12.2024", "31-12-2024", "31/12/2024 00:00"}) {
    const Stamp stamp = read_stamp(text);
    EXPECT_EQ(stamp.form, Form::kOpenOrder) << text;
    EXPECT_EQ(stamp.first, 31) << text;
    EXPECT_EQ(stamp.second, 12) << text;
    EXPECT_EQ(stamp.year, 2024) << text;
  }
}

TEST(Stamp, MonthsByNameWeeksAndQuartersAreDates) {
  struct Named {
    const char* text;
    int year, month, day;
  };
  for (const Named& named : std::vector<Named>{
           {"Jan 2009", 2009, 1, 1},      {"january 2009", 2009, 1, 1}, {"SEP-2009", 2009, 9, 1},
           {"Sept 2009", 2009, 9, 1},     {"2009 Dec", 2009, 12, 1},    {"2009-May", 2009, 5, 1},
           {"2009-May-31", 2009, 5, 31},  {"5 Feb 2009", 2009, 2, 5},   {"05-Feb-2009", 2009, 2, 5},
           {"5. March 2009", 2009, 3, 5}, {"Mar 5, 2009", 2009, 3, 5},  {"2009-Q1", 2009, 1, 1},
           {"2009Q4", 2009, 10, 1},       {"Q3 2009", 2009, 7, 1},      {"2024-W05", 2024, 1, 29},
           {"2024W05", 2024, 1, 29},      {"2024-W05-7", 2024, 2, 4},   {"2020-W53", 2020, 12, 28},
           {"2019-W01", 2018, 12, 31},    {"2016-W01", 2016, 1, 4}}) {
    const Stamp stamp = read_stamp(named.text);
    EXPECT_EQ(stamp.form, Form::kYearFirst) << named.text;
    EXPECT_EQ(stamp.year, named.year) << named.text;
    EXPECT_EQ(stamp.first, named.month) << named.text;
    EXPECT_EQ(stamp.second, named.day) << named.text;
  }
  EXPECT_EQ(read_stamp("5 Feb 2009 13:45").thousandths, 13 * kHourMilliseconds + 45 * 60'000);
  // Two digits may be a day or a year, most years have no week 53, February no 30th.
  for (const char* text : {"Jan-09", "Jan 9", "Foo 2009", "2019-W53", "2024-W00", "2024-W5",
                           "2009-Q5", "30 Feb 2009", "May", "2009-May-", "5 Feb 09"}) {
    EXPECT_EQ(read_stamp(text).form, Form::kUnreadable) << text;
  }
}

TEST(Stamp, ClocksOfTwelveAndTwentyFourHours) {
  const auto clock = [](const char* time) {
    return read_stamp(std::string("7/1/2024 ") + time).thousandths;
  };
  EXPECT_EQ(clock("12:00 AM"), 0);
  EXPECT_EQ(clock("1:00 am"), kHourMilliseconds);
  EXPECT_EQ(clock("12:30 PM"), 12 * kHourMilliseconds + kHourMilliseconds / 2);
  EXPECT_EQ(clock("11:59:59 pm"), 24 * kHourMilliseconds - 1000);
  EXPECT_EQ(clock("24:00"), 24 * kHourMilliseconds);
  EXPECT_EQ(clock("23:59:59.999"), 24 * kHourMilliseconds - 1);
}

TEST(Stamp, OffsetsInMinutesEast) {
  const auto offset = [](const char* text) {
    const Stamp stamp = read_stamp(std::string("2024-07-01T12:00") + text);
    EXPECT_TRUE(stamp.has_offset) << text;
    return stamp.offset;
  };
  EXPECT_EQ(offset("Z"), 0);
  EXPECT_EQ(offset("+02:00"), 120);
  EXPECT_EQ(offset("-0330"), -210);
  EXPECT_EQ(offset("+0030"), 30);
  EXPECT_EQ(offset("+05"), 300);
  EXPECT_EQ(offset(" +01:00"), 60);
}

TEST(Stamp, NumbersKeepThousandths) {
  EXPECT_EQ(read_stamp("1719835200").thousandths, 1'719'835'200'000);
  EXPECT_EQ(read_stamp("1719835200.25").thousandths, 1'719'835'200'250);
  EXPECT_EQ(read_stamp("-5").thousandths, -5000);
  EXPECT_EQ(read_stamp("20240701").form, Form::kNumber);
  EXPECT_EQ(read_stamp("20240701").digits, 8);
}

TEST(Stamp, DigitsFinerThanAMillisecondAreMarked) {
  EXPECT_TRUE(read_stamp("2024-07-01 00:00:00.1234").is_cut);
  EXPECT_FALSE(read_stamp("2024-07-01 00:00:00.123000").is_cut);
  EXPECT_EQ(read_stamp("2024-07-01 00:00:00.1234").thousandths, 123);
  EXPECT_TRUE(read_stamp("1719835200.0001").is_cut);
}

TEST(Stamp, WhatIsNoStampIsUnreadable) {
  for (const char* text : {"2024-13-01",
                           "2024-02-30",
                           "2023-02-29",
                           "0000-01-01",
                           "2024-07-01 25:00",
                           "2024-07-01 24:00:01",
                           "2024-07-01 1:60",
                           "2024-07-01 12:00:60",
                           "01/07/24",
                           "13/13/2024",
                           "32/01/2024",
                           "31/04/2024",
                           "yesterday",
                           "12:00",
                           "2024-07-01 PM",
                           "2024-07-01 13:00 PM",
                           "2024-07-01 00:00+19:00",
                           "2024-07-01 00:00+2",
                           "2024-07-01 00:00 Europe/Berlin",
                           "2024-07-01x",
                           "2024-07-01T",
                           "--5",
                           "-",
                           "1.5.2",
                           "123456789012345",
                           "1e9",
                           "2024-07-",
                           "2024-07-01 00:00:00.",
                           "2024/07",
                           "NaN"}) {
    EXPECT_EQ(read_stamp(text).form, Form::kUnreadable) << text;
  }
  EXPECT_EQ(read_stamp("").form, Form::kEmpty);
  EXPECT_EQ(read_stamp("  ").form, Form::kEmpty);
}

// Any stamp that was read, put into words and read again is the same stamp.
TEST(Stamp, TextRoundTrips) {
  const random::Stream stream{.seed = 11};
  int read = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const random::Block draw = random::block(stream, i);
    const int month = static_cast<int>(draw[0] % 14);
    const int day = static_cast<int>(draw[1] % 33);
    const int minute = static_cast<int>(draw[2] % 1500);
    std::string text = i % 2 == 0 ? fmt::format("2024-{:02}-{:02}", month, day)
                                  : fmt::format("{:02}/{:02}/2024", day, month);
    text += fmt::format(" {:02}:{:02}:{:02}.{:03}", minute / 60, minute % 60, draw[3] % 60,
                        draw[3] % 1000);
    if (draw[3] % 3 == 0) text += fmt::format("-{:02}:45", draw[3] % 19);
    const Stamp stamp = read_stamp(text);
    if (stamp.form == Form::kUnreadable) continue;
    ++read;
    EXPECT_EQ(read_stamp(to_text(stamp)), stamp) << text << " became " << to_text(stamp);
  }
  EXPECT_GT(read, 10000);
}

}  // namespace
}  // namespace pulsecast
