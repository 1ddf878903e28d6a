// A length that is a number of steps ("96") or a time ("48h", "7d", "10b", "12mo", "4q").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "pulsecast/base/place.h"
#include "pulsecast/calendar/step.h"

namespace pulsecast {

// The whole steps in it, at least `least` and at most 100000. `step` is needed for a time alone.
// Throws Error(kUsage) at `place`, also where the step does not divide the time.
std::int64_t steps_in(std::string_view text, const std::optional<Step>& step, const Place& place,
                      std::int64_t least);

}  // namespace pulsecast
