#include "pulsecast/report/past_errors.h"

#include <cmath>
#include <limits>

namespace pulsecast::report {

void PastErrors::add(std::span<const Instant> stamps, const Zone& zone,
                     std::span<const double> forecast, std::span<const double> truth) {
  for (std::size_t h = 0; h < forecast.size(); ++h) {
    const double error = std::abs(forecast[h] - truth[h]);
    if (!std::isfinite(error)) continue;
    const WallTime wall = zone.to_wall(stamps[h]);
    for (Sum* sum : {&by_step_[h], &by_hour_[static_cast<std::size_t>(wall.hour)],
                     &by_month_[static_cast<std::size_t>(wall.month) - 1]}) {
      sum->error += error;
      ++sum->count;
    }
  }
}

std::vector<double> PastErrors::means(const std::vector<Sum>& sums) {
  std::vector<double> means;
  means.reserve(sums.size());
  for (const Sum& sum : sums) {
    means.push_back(sum.count > 0 ? sum.error / static_cast<double>(sum.count)
                                  : std::numeric_limits<double>::quiet_NaN());
  }
  return means;
}

}  // namespace pulsecast::report
