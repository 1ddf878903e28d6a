// Whether a day is a public holiday of a country.
//
// Days off in the whole country, from 2000 to 2040: of years outside of those nothing is known, and
// no day is one. Dates to come that follow the moon or a yearly decree are estimates.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/calendar/instant.h"

namespace pulsecast {

// ISO 3166-1 codes: "AR", "AT" ...
std::vector<std::string> holiday_countries();

// The place of a country among them, whatever the case of its letters.
std::optional<std::size_t> holiday_country(std::string_view code);

bool is_holiday(std::size_t country, const WallTime& wall);

}  // namespace pulsecast
