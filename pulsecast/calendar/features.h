// Calendar features: what the wall shows at a step, each scaled to [-0.5, 0.5].
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/step.h"

namespace pulsecast {

enum class CalendarFeature : std::uint8_t {
  kMinuteOfHour,
  kHourOfDay,
  kDayOfWeek,
  kDayOfMonth,
  kDayOfYear,
  kMonthOfYear,
  kSeasonOfYear,
  kFirstHoliday,  // from here on: whether it is a holiday, a feature a country (holidays.h)
};
inline constexpr std::size_t kCalendarFeatures = 7;  // without holidays
inline constexpr std::size_t kMostFeatures = 7;      // at once

// "minute_of_hour", "hour_of_day", "day_of_week", "day_of_month", "day_of_year", "month_of_year",
// "season_of_year", "holiday_DE".
std::string_view name(CalendarFeature feature);

// Throws Error(kUsage) that lists the names, also where one comes twice or there are too many.
std::vector<CalendarFeature> parse_features(std::span<const std::string> names);

// Whether it is a holiday of that country, by its ISO code. Throws Error(kUsage) that lists those
// there are.
CalendarFeature holiday_feature(std::string_view country);
bool is_holiday_feature(CalendarFeature feature);

// All that change within a day, a week, a month and a year at this step, fastest first: for
// minutely data minute, hour, weekday, day of month, day of year; for hourly data from the hour on;
// for daily data from the weekday on; for longer steps what is left. Steps of months have the month
// alone: it is the same in leap years, where the day of the year is not. Never empty.
std::vector<CalendarFeature> feature_order(const Step& step);

// The count that a feature scales: minute, hour, weekday from Monday = 0, day of month - 1, day of
// year - 1, month - 1, season from March to May = 0, 1 on a holiday.
std::int32_t feature_count(CalendarFeature feature, const WallTime& wall);

// feature_count / {59, 23, 6, 30, 365, 11, 3, 1} - 0.5.
float feature_value(CalendarFeature feature, const WallTime& wall);

// A number that two steps share exactly when all these counts are the same.
std::uint64_t calendar_number(std::span<const CalendarFeature> features, const WallTime& wall);

// All values at one step, in the order of `features`.
void feature_values(std::span<const CalendarFeature> features, const WallTime& wall, float* out);

}  // namespace pulsecast
