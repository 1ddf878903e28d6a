#include "pulsecast/calendar/phase.h"

#include <algorithm>
#include <cassert>

#include "pulsecast/calendar/civil.h"

namespace pulsecast {
namespace {

constexpr std::int64_t kFirstMonday = 4 * kDayMilliseconds;  // 1970-01-05

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

std::int64_t steps_since_monday(const WallTime& wall, const Step& step) {
  switch (step.unit()) {
    case Step::Unit::kMillisecond:
      return floor_divide(wall_milliseconds(wall) - kFirstMonday, step.count());
    case Step::Unit::kDay:
      return floor_divide(wall_milliseconds(wall) - kFirstMonday, step.count() * kDayMilliseconds);
    case Step::Unit::kBusinessDay: {
      const std::int64_t days =
          floor_divide(wall_milliseconds(wall) - kFirstMonday, kDayMilliseconds);
      const std::int64_t weeks = floor_divide(days, 7);
      // A weekend goes with the Friday before it.
      return floor_divide(5 * weeks + std::min<std::int64_t>(days - 7 * weeks, 4), step.count());
    }
    case Step::Unit::kMonth:
    case Step::Unit::kMonthEnd:
      return floor_divide((std::int64_t{wall.year} - 1970) * 12 + wall.month - 1, step.count());
  }
  return 0;
}

std::int32_t phase_of(const WallTime& wall, const Step& step, std::int32_t period) {
  assert(period >= 1);
  const std::int64_t steps = steps_since_monday(wall, step);
  return static_cast<std::int32_t>(steps - floor_divide(steps, period) * period);
}

}  // namespace pulsecast
