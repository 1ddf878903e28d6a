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

// Shares where validation is too short to weigh by: even ones of the best of each kind, but for
// those that miss more than `farthest` times what the best of all does. errors and kinds: of each
// forecast.
std::vector<double> even_shares(std::span<const double> errors, std::span<const std::size_t> kinds,
                                double farthest);

}  // namespace pulsecast::search
