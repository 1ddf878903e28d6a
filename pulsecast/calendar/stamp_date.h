// The date of a stamp: whether there is such a day, and where it is kept.
#pragma once

#include <cstdint>

#include "pulsecast/calendar/civil.h"
#include "pulsecast/calendar/stamp.h"

namespace pulsecast {

inline bool is_date(int year, int month, int day) {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= days_in_month(year, month);
}

inline void set_date(Stamp& stamp, Stamp::Form form, int year, int first, int second) {
  stamp.form = form;
  stamp.year = year;
  stamp.first = static_cast<std::uint8_t>(first);
  stamp.second = static_cast<std::uint8_t>(second);
}

}  // namespace pulsecast
