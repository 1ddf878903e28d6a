#include "pulsecast/calibrate/range_request.h"

#include <algorithm>
#include <cmath>

namespace pulsecast::calibrate {
namespace {

constexpr double kApart = 1e-9;  // 0.5 + 0.4 and 0.9 are one probability

}  // namespace

RangeRequest::RangeRequest(std::span<const double> levels, std::span<const double> quantiles) {
  probabilities_.reserve(2 * levels.size() + quantiles.size());
  levels_.reserve(levels.size());
  for (const double level : levels) {
    const Bounds bounds = bounds_of(level);
    probabilities_.insert(probabilities_.end(), {bounds.lower, bounds.upper});
  }
  probabilities_.insert(probabilities_.end(), quantiles.begin(), quantiles.end());
  std::ranges::sort(probabilities_);
  const auto rest = std::unique(probabilities_.begin(), probabilities_.end(),
                                [](double a, double b) { return std::abs(a - b) < kApart; });
  probabilities_.erase(rest, probabilities_.end());
  places_.reserve(probabilities_.size());
  for (const double probability : probabilities_) places_.push_back(grid_place(probability));
  const auto at = [&](double probability) {
    const auto found = std::ranges::lower_bound(probabilities_, probability - kApart);
    return static_cast<std::size_t>(found - probabilities_.begin());
  };
  for (const double level : levels) {
    const Bounds bounds = bounds_of(level);
    levels_.push_back({level, at(bounds.lower), at(bounds.upper)});
  }
  for (const double quantile : quantiles) quantiles_.push_back({quantile, at(quantile)});
}

}  // namespace pulsecast::calibrate
