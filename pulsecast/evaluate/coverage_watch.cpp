#include "pulsecast/evaluate/coverage_watch.h"

#include <numeric>

namespace pulsecast {

std::optional<double> CoverageWatch::at(std::size_t row) {
  while (!immature_.empty() && immature_.front().row + horizon_ <= row) {
    latest_.push_back(immature_.front().hits);
    if (latest_.size() > window_) latest_.pop_front();
    immature_.pop_front();
  }
  if (latest_.size() < window_) return std::nullopt;
  return std::accumulate(latest_.begin(), latest_.end(), 0.0) / static_cast<double>(window_);
}

}  // namespace pulsecast
