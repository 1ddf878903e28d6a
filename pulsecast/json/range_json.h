// What ranges came to: evaluation and backtest tell it alike.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "pulsecast/evaluate/range_scored.h"

namespace pulsecast::json {

nlohmann::ordered_json ranges_json(std::span<const RangesScored> ranges,
                                   const std::vector<std::string>& channels);

}  // namespace pulsecast::json
