// An instant in words, as the wall clock of a zone shows it.
#pragma once

#include <string>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/zone.h"

namespace pulsecast {

// "2024-07-01 13:45:00", with ".250" where there are milliseconds.
std::string to_text(Instant instant, const Zone& zone);

// "2024-07-01T13:45:00+02:00": what any program reads back to the same instant.
std::string to_iso_text(Instant instant, const Zone& zone);

}  // namespace pulsecast
