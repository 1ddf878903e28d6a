// The shares of forecasts in the blend of them that misses least.
#pragma once

#include <span>
#include <vector>

namespace pulsecast::search {

// residuals: of each forecast over the same values. Shares are not negative and add up to 1. One of
// less than `least` is none: it would cost a forecast and change little.
std::vector<double> blend_shares(std::span<const std::span<const float>> residuals, double least);

}  // namespace pulsecast::search
