#include "pulsecast/calendar/holidays.h"

#include <algorithm>
#include <cctype>

#include "pulsecast/calendar/civil.h"
#include "pulsecast/calendar/holiday_table.h"

namespace pulsecast {
namespace {

constexpr std::int64_t kFirstTableDay = 10957;  // 2000-01-01, in days since 1970
constexpr std::size_t kTableDays = 14976;       // of the years 2000 to 2040

constexpr std::int64_t kLongStep = 36 * 36 - 1;

std::int64_t digit(char letter) { return letter <= '9' ? letter - '0' : letter - 'a' + 10; }

// A flag a day, a list a country.
std::vector<std::vector<bool>> unpacked() {
  std::vector<std::vector<bool>> countries;
  for (const HolidayList& list : holiday_lists()) {
    std::vector<bool>& days = countries.emplace_back(kTableDays, false);
    std::int64_t day = -1;
    for (std::size_t i = 0; i + 1 < list.steps.size(); i += 2) {
      const std::int64_t step = 36 * digit(list.steps[i]) + digit(list.steps[i + 1]);
      day += step;
      if (step != kLongStep) days.at(static_cast<std::size_t>(day)) = true;
    }
  }
  return countries;
}

}  // namespace

std::vector<std::string> holiday_countries() {
  std::vector<std::string> codes;
  for (const HolidayList& list : holiday_lists()) codes.emplace_back(list.country);
  return codes;
}

std::optional<std::size_t> holiday_country(std::string_view code) {
  const auto same = [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) ==
           std::toupper(static_cast<unsigned char>(b));
  };
  const auto lists = holiday_lists();
  const auto found = std::ranges::find_if(
      lists, [&](const HolidayList& list) { return std::ranges::equal(list.country, code, same); });
  if (found == lists.end()) return std::nullopt;
  return static_cast<std::size_t>(found - lists.begin());
}

bool is_holiday(std::size_t country, const WallTime& wall) {
  static const std::vector<std::vector<bool>> kCountries = unpacked();
  WallTime midnight;
  midnight.year = wall.year;
  midnight.month = wall.month;
  midnight.day = wall.day;
  const std::int64_t day = wall_milliseconds(midnight) / kDayMilliseconds - kFirstTableDay;
  return day >= 0 && day < static_cast<std::int64_t>(kTableDays) &&
         kCountries[country][static_cast<std::size_t>(day)];
}

}  // namespace pulsecast
