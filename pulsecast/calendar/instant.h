// A point in time, and what a wall clock shows at it.
//
// An Instant counts milliseconds of UTC since 1970-01-01. A file without offsets and without a
// named zone is read as if its wall clock were UTC, so that one type serves both.
#pragma once

#include <compare>
#include <cstdint>

namespace pulsecast {

struct Instant {
  std::int64_t milliseconds = 0;

  friend auto operator<=>(const Instant&, const Instant&) = default;
};

// What the calendar covers: a day inside the years 1 and 9999, so that any zone's offset still
// lands in them.
inline constexpr Instant kEarliestInstant{-62135510400000};  // 0001-01-02 00:00:00.000
inline constexpr Instant kLatestInstant{253402214399999};    // 9999-12-30 23:59:59.999

// What calendar and clock on the wall show. Fields are proleptic Gregorian, weekday 0 is Monday.
struct WallTime {
  std::int32_t year = 1970;
  std::int32_t month = 1;        // 1 .. 12
  std::int32_t day = 1;          // 1 .. 31
  std::int32_t hour = 0;         // 0 .. 23
  std::int32_t minute = 0;       // 0 .. 59
  std::int32_t second = 0;       // 0 .. 59
  std::int32_t millisecond = 0;  // 0 .. 999
  std::int32_t weekday = 3;      // 0 .. 6, Monday = 0
  std::int32_t day_of_year = 1;  // 1 .. 366

  friend bool operator==(const WallTime&, const WallTime&) = default;
};

}  // namespace pulsecast
