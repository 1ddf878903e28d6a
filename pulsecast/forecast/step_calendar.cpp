#include "pulsecast/forecast/step_calendar.h"

#include <algorithm>

#include "pulsecast/calendar/phase.h"

namespace pulsecast {
namespace {

// No step has it: the calendar ends before.
constexpr Instant kNobody{kLatestInstant.milliseconds + 1};

}  // namespace

StepCalendar::StepCalendar(std::vector<CalendarFeature> features, Step step, Zone zone,
                           std::int32_t period)
    : features_(std::move(features)),
      step_(step),
      zone_(zone),
      period_(period),
      // Days and months differ in length, and business days lie 1 to 3 days apart; a bit less than
      // the shortest keeps them apart.
      place_milliseconds_(std::max<std::int64_t>(
          1, static_cast<std::int64_t>(step.mean_milliseconds() *
                                       (step.unit() == Step::Unit::kMillisecond ? 1.0 : 0.7)))),
      entries_(kPlaces, Entry{.stamp = kNobody}) {}

const StepCalendar::Entry& StepCalendar::at(Instant stamp) {
  const auto place = static_cast<std::uint64_t>(stamp.milliseconds / place_milliseconds_) % kPlaces;
  Entry& entry = entries_[place];
  if (entry.stamp == stamp) return entry;
  const WallTime wall = zone_.to_wall(stamp);
  entry.number = calendar_number(features_, wall);
  entry.phase = phase_of(wall, step_, period_);
  feature_values(features_, wall, entry.features.data());
  entry.stamp = stamp;
  return entry;
}

}  // namespace pulsecast
