// What training decided and tried.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "pulsecast/train/reports.h"

namespace pulsecast::json {

nlohmann::ordered_json decisions_json(std::span<const train::Decision> decisions);
nlohmann::ordered_json tried_json(std::span<const train::Tried> tried);

}  // namespace pulsecast::json
