// The seasons that a step divides: how many steps make a day, a week, a year.
//
// Counted in steps, not on the wall clock: on the day clocks change, 24 hours back is another hour
// of the day. A baseline that is wrong by an hour on two days a year is still the one people know.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pulsecast/calendar/step.h"

namespace pulsecast {

struct Season {
  std::string name;       // "day"
  std::size_t steps = 0;  // 2 or more

  friend bool operator==(const Season&, const Season&) = default;
};

// Day and week, shortest first, where they are a whole number of steps and at least two; the year
// for steps of months. Hourly: a day of 24, a week of 168. Daily: a week of 7. Monthly: a year of
// 12. Yearly: none.
std::vector<Season> seasons_of(const Step& step);

}  // namespace pulsecast
