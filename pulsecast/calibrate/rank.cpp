#include "pulsecast/calibrate/rank.h"

#include <algorithm>
#include <cmath>

namespace pulsecast::calibrate {
namespace {

// 0.975 in double is a little less than it says, and (39 + 1) times it must be 39 and no more.
constexpr double kRounding = 1e-9;

}  // namespace

std::optional<std::size_t> rank_of(std::size_t scores, double probability) {
  const double from_outside = std::max(probability, 1.0 - probability);
  const auto rank = static_cast<std::size_t>(
      std::ceil(static_cast<double>(scores + 1) * from_outside - kRounding));
  if (rank > scores) return std::nullopt;
  return probability >= 0.5 ? rank : scores + 1 - rank;
}

std::size_t scores_needed(double probability) {
  const double outside = std::min(probability, 1.0 - probability);
  return static_cast<std::size_t>(std::ceil((1.0 - outside) / outside - kRounding));
}

}  // namespace pulsecast::calibrate
