#include "pulsecast/report/thinning.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pulsecast::report {

Thinning::Thinning(std::size_t rows, std::size_t most, std::size_t whole)
    : thinned_(0), stretch_(2) {
  if (rows > most) {
    // At least half of the points tell of the older rows.
    const std::size_t kept = std::min(whole, most / 2);
    thinned_ = rows - kept;
    const std::size_t pairs = (most - kept) / 2;
    stretch_ = std::max<std::size_t>(2, (thinned_ + pairs - 1) / pairs);
  }
  for (std::size_t begin = 0; begin < thinned_; begin += stretch_) {
    rows_.push_back(begin);
    const std::size_t size = std::min(stretch_, thinned_ - begin);
    if (size > 1) rows_.push_back(begin + size / 2);
  }
  for (std::size_t row = thinned_; row < rows; ++row) rows_.push_back(row);
}

std::vector<double> Thinning::thin(std::span<const double> values) const {
  std::vector<double> points;
  points.reserve(rows_.size());
  for (std::size_t begin = 0; begin < thinned_; begin += stretch_) {
    const std::size_t end = std::min(begin + stretch_, thinned_);
    std::size_t low = end;
    std::size_t high = end;
    for (std::size_t row = begin; row < end; ++row) {
      if (std::isnan(values[row])) continue;
      if (low == end || values[row] < values[low]) low = row;
      if (high == end || values[row] > values[high]) high = row;
    }
    if (low == end) {
      points.insert(points.end(), end - begin > 1 ? 2 : 1,
                    std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    points.push_back(values[std::min(low, high)]);
    if (end - begin > 1) points.push_back(values[std::max(low, high)]);
  }
  const auto rest = values.subspan(thinned_);
  points.insert(points.end(), rest.begin(), rest.end());
  return points;
}

}  // namespace pulsecast::report
