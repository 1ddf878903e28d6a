#include "pulsecast/calendar/holidays.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pulsecast/base/error.h"
#include "pulsecast/calendar/features.h"
#include "pulsecast/calendar/holiday_table.h"
#include "pulsecast/calendar/step.h"

namespace pulsecast {
namespace {

WallTime on(int year, int month, int day, int hour = 0) {
  WallTime wall;
  wall.year = year;
  wall.month = month;
  wall.day = day;
  wall.hour = hour;
  return wall;
}

bool is_holiday_of(const char* country, const WallTime& wall) {
  return is_holiday(holiday_country(country).value(), wall);
}

TEST(Holidays, AreThoseOfTheCountry) {
  EXPECT_TRUE(is_holiday_of("DE", on(2024, 10, 3)));
  EXPECT_FALSE(is_holiday_of("US", on(2024, 10, 3)));
  EXPECT_TRUE(is_holiday_of("US", on(2024, 7, 4, 23)));
  EXPECT_FALSE(is_holiday_of("US", on(2024, 7, 5)));
  EXPECT_TRUE(is_holiday_of("US", on(2024, 11, 28))) << "Thanksgiving moves";
  EXPECT_TRUE(is_holiday_of("us", on(2023, 11, 23)));
  EXPECT_TRUE(is_holiday_of("DE", on(2025, 4, 18))) << "and so does Good Friday";
  EXPECT_TRUE(is_holiday_of("FR", on(2040, 7, 14)));
  EXPECT_TRUE(is_holiday_of("GB", on(2000, 1, 3))) << "in lieu of a Saturday";
  EXPECT_TRUE(is_holiday_of("ES", on(2010, 1, 1)));
}

TEST(Holidays, OutsideOfTheTableNoDayIsOne) {
  for (const int year : {1, 1969, 1999, 2041, 9999}) {
    EXPECT_FALSE(is_holiday_of("DE", on(year, 12, 25))) << year;
    EXPECT_FALSE(is_holiday_of("DE", on(year, 1, 1))) << year;
  }
}

TEST(Holidays, CountriesAreSortedAndTheTableIsWhole) {
  const std::vector<std::string> countries = holiday_countries();
  EXPECT_GE(countries.size(), 40u);
  EXPECT_TRUE(std::ranges::is_sorted(countries));
  EXPECT_FALSE(holiday_country("XX"));
  EXPECT_FALSE(holiday_country(""));
  for (const HolidayList& list : holiday_lists()) {
    EXPECT_EQ(list.steps.size() % 2, 0u) << list.country;
    for (int year = 2010; year <= 2030; ++year) {
      int days = 0;
      for (int month = 1; month <= 12; ++month) {
        for (int day = 1; day <= 28; ++day) {
          days += is_holiday_of(list.country.data(), on(year, month, day)) ? 1 : 0;
        }
      }
      EXPECT_GE(days, 3) << list.country << " " << year;
      EXPECT_LE(days, 40) << list.country << " " << year;
    }
  }
}

TEST(Features, HolidaysOfACountryAreOne) {
  const CalendarFeature german = holiday_feature("de");
  EXPECT_EQ(name(german), "holiday_DE");
  EXPECT_TRUE(is_holiday_feature(german));
  EXPECT_FALSE(is_holiday_feature(CalendarFeature::kMonthOfYear));
  EXPECT_EQ(parse_features(std::vector<std::string>{"hour_of_day", "holiday_DE"}),
            (std::vector{CalendarFeature::kHourOfDay, german}));
  EXPECT_EQ(feature_value(german, on(2024, 10, 3)), 0.5f);
  EXPECT_EQ(feature_value(german, on(2024, 10, 4)), -0.5f);
  const std::vector both = {CalendarFeature::kHourOfDay, german};
  EXPECT_NE(calendar_number(both, on(2024, 10, 3)), calendar_number(both, on(2024, 10, 4)));
  try {
    holiday_feature("Germany");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(error.place().setting, "holidays");
    EXPECT_NE(error.message().find("there are those of AR, AT, AU"), std::string::npos);
  }
}

}  // namespace
}  // namespace pulsecast
