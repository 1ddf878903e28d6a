#include "pulsecast/calendar/civil.h"

#include <algorithm>

namespace pulsecast {
namespace {

const Zone kUtc;

}  // namespace

std::int32_t days_in_month(std::int32_t year, std::int32_t month) {
  const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  if (month == 2) return is_leap ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

std::int64_t wall_milliseconds(const WallTime& wall) {
  return kUtc.to_instants(wall).first.milliseconds;
}

WallTime days_later(const WallTime& wall, std::int64_t days) {
  return kUtc.to_wall({wall_milliseconds(wall) + days * kDayMilliseconds});
}

WallTime months_later(const WallTime& wall, std::int64_t months) {
  const std::int64_t total = std::int64_t{wall.year} * 12 + (wall.month - 1) + months;
  WallTime moved = wall;
  moved.year = static_cast<std::int32_t>(total >= 0 ? total / 12 : (total - 11) / 12);
  moved.month = static_cast<std::int32_t>(total - std::int64_t{moved.year} * 12) + 1;
  moved.day = std::min(wall.day, days_in_month(moved.year, moved.month));
  return moved;
}

WallTime business_days_later(const WallTime& wall, std::int64_t days) {
  constexpr std::int64_t kWeek = 5;
  const bool is_weekend = wall.weekday >= kWeek;
  // A weekend lies before the Monday to come for whoever goes back, after the Friday for others.
  const std::int64_t weekday =
      is_weekend && days < 0 ? kWeek : std::min<std::int64_t>(wall.weekday, kWeek - 1);
  const std::int64_t total = weekday + days;
  const std::int64_t weeks = total >= 0 ? total / kWeek : (total - (kWeek - 1)) / kWeek;
  return days_later(wall, weeks * 7 + (total - weeks * kWeek) - wall.weekday);
}

bool is_month_end(const WallTime& wall) { return wall.day == days_in_month(wall.year, wall.month); }

WallTime month_ends_later(const WallTime& wall, std::int64_t ends) {
  const bool counts_own = ends > 0 && !is_month_end(wall);
  WallTime moved = wall;
  moved.day = 1;
  moved = months_later(moved, ends - (counts_own ? 1 : 0));
  moved.day = days_in_month(moved.year, moved.month);
  return moved;
}

Instant earliest_instant(const WallTime& wall, const Zone& zone) {
  const Zone::Instants instants = zone.to_instants(wall);
  if (instants.count > 0) return instants.first;
  // Skipped: the offset of the day before is still the one from before the change.
  const Zone::Instants before = zone.to_instants(days_later(wall, -1));
  return {before.first.milliseconds + kDayMilliseconds};
}

}  // namespace pulsecast
