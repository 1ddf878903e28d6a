#include "pulsecast/report/time_ticks.h"

#include <fmt/format.h>

#include <algorithm>

#include "pulsecast/calendar/civil.h"

namespace pulsecast::report {
namespace {

// A distance between ticks: months, or milliseconds of the wall clock.
struct Distance {
  std::int64_t months = 0;
  std::int64_t milliseconds = 0;
};

constexpr Distance kDistances[] = {{.milliseconds = kMinuteMilliseconds},
                                   {.milliseconds = 5 * kMinuteMilliseconds},
                                   {.milliseconds = 15 * kMinuteMilliseconds},
                                   {.milliseconds = 30 * kMinuteMilliseconds},
                                   {.milliseconds = kHourMilliseconds},
                                   {.milliseconds = 3 * kHourMilliseconds},
                                   {.milliseconds = 6 * kHourMilliseconds},
                                   {.milliseconds = 12 * kHourMilliseconds},
                                   {.milliseconds = kDayMilliseconds},
                                   {.milliseconds = 2 * kDayMilliseconds},
                                   {.milliseconds = 7 * kDayMilliseconds},
                                   {.milliseconds = 14 * kDayMilliseconds},
                                   {.months = 1},
                                   {.months = 3},
                                   {.months = 6},
                                   {.months = 12},
                                   {.months = 24},
                                   {.months = 60},
                                   {.months = 120},
                                   {.months = 240},
                                   {.months = 600},
                                   {.months = 1200},
                                   {.months = 12000}};

std::string text_of(const WallTime& wall, const Distance& distance) {
  if (distance.months >= 12) return fmt::format("{}", wall.year);
  if (distance.months > 0) return fmt::format("{}-{:02}", wall.year, wall.month);
  if (distance.milliseconds >= kDayMilliseconds) {
    return fmt::format("{}-{:02}-{:02}", wall.year, wall.month, wall.day);
  }
  return fmt::format("{:02}-{:02} {:02}:{:02}", wall.month, wall.day, wall.hour, wall.minute);
}

// The first place at or before `wall`.
WallTime floor_of(const WallTime& wall, const Distance& distance) {
  WallTime start{.year = wall.year, .month = wall.month};
  if (distance.months > 0) {
    const std::int64_t months = std::int64_t{wall.year} * 12 + wall.month - 1;
    return months_later(start, -(months % distance.months));
  }
  start.day = wall.day;
  if (distance.milliseconds >= kDayMilliseconds) return start;
  const std::int64_t minutes = distance.milliseconds / kMinuteMilliseconds;
  const std::int64_t own = (wall.hour * 60 + wall.minute) / minutes * minutes;
  start.hour = static_cast<std::int32_t>(own / 60);
  start.minute = static_cast<std::int32_t>(own % 60);
  return start;
}

WallTime next_of(const WallTime& wall, const Distance& distance) {
  if (distance.months > 0) return months_later(wall, distance.months);
  if (distance.milliseconds >= kDayMilliseconds) {
    return days_later(wall, distance.milliseconds / kDayMilliseconds);
  }
  const std::int64_t minutes =
      wall.hour * 60 + wall.minute + distance.milliseconds / kMinuteMilliseconds;
  WallTime next = days_later(wall, minutes / (24 * 60));
  next.hour = static_cast<std::int32_t>(minutes % (24 * 60) / 60);
  next.minute = static_cast<std::int32_t>(minutes % 60);
  return next;
}

}  // namespace

std::vector<TimeTick> time_ticks(Instant first, Instant last, const Zone& zone, std::size_t most) {
  const auto length = static_cast<double>(last.milliseconds - first.milliseconds);
  for (const Distance& distance : kDistances) {
    constexpr double kMonth = 30.4 * static_cast<double>(kDayMilliseconds);
    const double between = distance.months > 0 ? static_cast<double>(distance.months) * kMonth
                                               : static_cast<double>(distance.milliseconds);
    if (length / between > static_cast<double>(most)) continue;
    std::vector<TimeTick> ticks;
    WallTime wall = floor_of(zone.to_wall(first), distance);
    for (Instant at = earliest_instant(wall, zone); at <= last;) {
      if (at >= first) ticks.push_back({at, text_of(wall, distance)});
      wall = next_of(wall, distance);
      const Instant next = earliest_instant(wall, zone);
      if (next <= at) break;
      at = next;
    }
    if (ticks.size() <= most) return ticks;
  }
  return {};
}

}  // namespace pulsecast::report
