// Numbers as a page carries them: few bytes, the same on every machine.
//
// Values are 16-bit steps between the lowest and the highest of them, in base64: 2.7 characters a
// value where JSON takes 6 to 18. A step is 1/65534 of the range, far below a pixel; 65535 is a
// gap.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "pulsecast/calendar/instant.h"

namespace pulsecast::report {

std::string to_base64(std::string_view bytes);

// {"lo": 0.5, "hi": 9.25, "q": "..."}.
nlohmann::ordered_json packed(std::span<const double> values);
nlohmann::ordered_json packed(std::span<const float> values);

// Stamps in seconds: the first, then pairs of a distance and how often it follows: [0, 3600, 23].
nlohmann::ordered_json packed_stamps(std::span<const Instant> stamps);

}  // namespace pulsecast::report
