// Settings by their full names: {"data.horizon": "48h", "data.known": ["price"]}.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "pulsecast/settings/settings.h"

namespace pulsecast::c {

// What is unset is left out. A list is an array.
nlohmann::ordered_json settings_json(const Settings& settings);

}  // namespace pulsecast::c
