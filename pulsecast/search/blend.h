// The shares of forecasts in the blend of them that misses least.
#pragma once

#include <span>
#include <vector>

namespace pulsecast::search {

inline constexpr double kLeastShare = 0.05;  // of a member

// residuals: of each forecast over the same values. Shares are not negative and add up to 1. One of
// less than `least` is none: it would cost a forecast and change little.
std::vector<double> blend_shares(std::span<const std::span<const float>> residuals, double least);
// The same by the mean products of every two forecasts' residuals.
std::vector<double> blend_of(const std::vector<std::vector<double>>& products, double least);

}  // namespace pulsecast::search
