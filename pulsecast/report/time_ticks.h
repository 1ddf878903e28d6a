// Round places on an axis of time, by the wall clock of a zone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/zone.h"

namespace pulsecast::report {

struct TimeTick {
  Instant instant;
  std::string text;  // "2024-07-01", "07-01 12:00", "2024"
};

// At most `most` (2 or more) of the beginnings of years, months, days, hours or minutes in [first,
// last].
std::vector<TimeTick> time_ticks(Instant first, Instant last, const Zone& zone, std::size_t most);

}  // namespace pulsecast::report
