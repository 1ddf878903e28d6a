// Stamps for rows that have none: a start, and a step from each row to the next.
#pragma once

#include <string>

#include "pulsecast/base/remedy.h"
#include "pulsecast/calendar/packed_stamps.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

// From settings.start, .step and .time_zone. Throws Error(kUsage) when one that is needed is
// missing or cannot be read, and Error(kData) when the rows run out of the calendar.
PackedInstants even_stamps(std::size_t rows, const DataSettings& settings,
                           const std::string& source);

// Both settings with values such as they may have.
Remedy example_start_and_step(std::string effect);

}  // namespace pulsecast
