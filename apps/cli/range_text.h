// What ranges came to, for people: evaluate and backtest tell it alike.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pulsecast/evaluate/range_scored.h"

namespace pulsecast::cli {

// A line a level, and what the columns are; nothing where there are no ranges.
std::string ranges_overview(std::span<const RangesScored> ranges);

// Coverage of each level as it is in the end, for each of some things.
std::string ranges_per_channel(std::span<const RangesScored> ranges,
                               const std::vector<std::string>& channels);
std::string ranges_per_step(std::span<const RangesScored> ranges);
std::string ranges_per_month(std::span<const RangesScored> ranges);

}  // namespace pulsecast::cli
