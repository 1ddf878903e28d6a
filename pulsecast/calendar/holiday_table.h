// The public holidays of countries from 2000 to 2040, packed; holidays.h reads them.
#pragma once

#include <span>
#include <string_view>

namespace pulsecast {

struct HolidayList {
  std::string_view country;  // ISO 3166-1: "DE"
  // Two digits in base 36 a holiday: days since the one before, the first since 1999-12-31.
  // "zz" is 1295 days that end with none.
  std::string_view steps;
};

// By country.
std::span<const HolidayList> holiday_lists();

}  // namespace pulsecast
