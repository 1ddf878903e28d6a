// What a backtest came to.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "pulsecast/calendar/zone.h"
#include "pulsecast/evaluate/backtest_result.h"

namespace pulsecast::json {

nlohmann::ordered_json backtest_json(const Backtest& result, const Zone& zone);

}  // namespace pulsecast::json
