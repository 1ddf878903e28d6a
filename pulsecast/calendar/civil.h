// Arithmetic on what the wall shows: days and months later, and back to an instant.
#pragma once

#include <cstdint>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/zone.h"

namespace pulsecast {

inline constexpr std::int64_t kSecondMilliseconds = 1000;
inline constexpr std::int64_t kMinuteMilliseconds = 60 * kSecondMilliseconds;
inline constexpr std::int64_t kHourMilliseconds = 60 * kMinuteMilliseconds;
inline constexpr std::int64_t kDayMilliseconds = 24 * kHourMilliseconds;

std::int32_t days_in_month(std::int32_t year, std::int32_t month);

// The same time of day, `days` later. Only date and time of day are set in the result, not
// weekday and day_of_year. The same holds for months_later().
WallTime days_later(const WallTime& wall, std::int64_t days);

// The same day and time `months` later; the last day of that month where it is shorter.
WallTime months_later(const WallTime& wall, std::int64_t months);

// The same time on the `days`-th day from Monday to Friday later; not 0. `wall` has its weekday.
// From a Saturday or Sunday the first later one is the Monday, the first earlier one the Friday.
WallTime business_days_later(const WallTime& wall, std::int64_t days);

// The same time on the `ends`-th last day of a month later; not 0. From within a month the first
// later one is that month's, the first earlier one that of the month before.
WallTime month_ends_later(const WallTime& wall, std::int64_t ends);

bool is_month_end(const WallTime& wall);

// Milliseconds from 1970-01-01 00:00 to `wall` as an unbroken clock would count them.
std::int64_t wall_milliseconds(const WallTime& wall);

// The earlier instant at which the wall clock shows `wall`; where it is skipped, the instant as
// much past the change as `wall` would have been.
Instant earliest_instant(const WallTime& wall, const Zone& zone);

}  // namespace pulsecast
