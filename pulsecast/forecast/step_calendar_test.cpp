#include "pulsecast/forecast/step_calendar.h"

#include <gtest/gtest.h>

#include "pulsecast/calendar/phase.h"

namespace pulsecast {
namespace {

// What is remembered is what would be computed, in any order and long after its place was taken.
TEST(StepCalendar, SaysWhatTheCalendarSays) {
  const std::vector<CalendarFeature> features = {CalendarFeature::kHourOfDay,
                                                 CalendarFeature::kDayOfYear};
  for (const char* step_text : {"1h", "1d", "1mo", "15min"}) {
    SCOPED_TRACE(step_text);
    const Step step = Step::parse(step_text);
    const Zone zone = Zone::named("Europe/Berlin");
    StepCalendar calendar(features, step, zone, 168);
    const Instant start{1'700'000'000'000};
    for (int i = 0; i < 20000; ++i) {
      // Back and forth, over more steps than there are places.
      const std::int64_t steps = std::int64_t{i} * 7919 % 5000 - 100;
      const Instant stamp = step.add(start, step_text[1] == 'm' ? steps / 10 : steps, zone);
      const StepCalendar::Entry& entry = calendar.at(stamp);
      const WallTime wall = zone.to_wall(stamp);
      ASSERT_EQ(entry.number, calendar_number(features, wall));
      ASSERT_EQ(entry.phase, phase_of(wall, step, 168));
      ASSERT_EQ(entry.features[0], feature_value(features[0], wall));
      ASSERT_EQ(entry.features[1], feature_value(features[1], wall));
    }
  }
}

}  // namespace
}  // namespace pulsecast
