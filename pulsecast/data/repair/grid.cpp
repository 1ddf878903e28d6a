#include "pulsecast/data/repair/grid.h"
#include "pulsecast/calendar/civil.h"

namespace pulsecast {
namespace {

bool is_last_of_month(const WallTime& wall) {
  WallTime noon = wall;
  noon.hour = 12;
  const Instant same_day = Zone().to_instants(noon).first;
  return Zone().to_wall({same_day.milliseconds + kDayMilliseconds}).day == 1;
}

}  // namespace

std::optional<std::int64_t> TimeGrid::slot_at(Instant stamp) const {
  if (step_.unit() == Step::Unit::kMonth) return month_slot_at(stamp);
  const std::int64_t slot = slot_around(stamp);
  if (stamp_of(slot) != stamp) return std::nullopt;
  return slot;
}

std::optional<std::int64_t> TimeGrid::month_slot_at(Instant stamp) const {
  const WallTime anchor = zone_.to_wall(anchor_);
  const WallTime wall = zone_.to_wall(stamp);
  const std::int64_t months = (wall.year - anchor.year) * 12 + wall.month - anchor.month;
  const bool is_same_clock = wall.hour == anchor.hour && wall.minute == anchor.minute &&
                             wall.second == anchor.second && wall.millisecond == anchor.millisecond;
  const bool is_same_day =
      wall.day == anchor.day || (is_last_of_month(wall) && is_last_of_month(anchor));
  if (months % step_.count() != 0 || !is_same_clock || !is_same_day) return std::nullopt;
  return months / step_.count();
}

Instant round_anchor(Instant first, const Step& step, const Zone& zone) {
  const WallTime wall = zone.to_wall(first);
  WallTime midnight;
  midnight.year = wall.year;
  midnight.month = wall.month;
  midnight.day = step.unit() == Step::Unit::kMonth ? 1 : wall.day;
  Zone::Instants instants = zone.to_instants(midnight);
  // Some clocks change at midnight: the day then begins at the first hour that it has.
  for (; instants.count == 0 && midnight.hour < 3; instants = zone.to_instants(midnight)) {
    ++midnight.hour;
  }
  const bool is_weeks = step.unit() == Step::Unit::kDay && step.count() % 7 == 0;
  if (is_weeks && wall.weekday > 0) {
    return Step(Step::Unit::kDay, 1).add(instants.first, -wall.weekday, zone);
  }
  return instants.first;
}

}  // namespace pulsecast
