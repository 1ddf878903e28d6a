// Where in a cycle of W steps a step lies, by its own stamp.
//
// Steps are counted on the wall clock from Monday 1970-01-05 00:00: 08:00 has the same phase on
// every day of the week's cycle, also after the clocks have changed, and whatever row a file
// happens to begin with. Business days are counted from the same Monday, five a week; months from
// January 1970.
#pragma once

#include <cstdint>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/step.h"

namespace pulsecast {

// Whole steps on the wall clock since that Monday; negative before it.
std::int64_t steps_since_monday(const WallTime& wall, const Step& step);

// steps_since_monday modulo `period`, in [0, period).
std::int32_t phase_of(const WallTime& wall, const Step& step, std::int32_t period);

}  // namespace pulsecast
