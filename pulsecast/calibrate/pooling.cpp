#include "pulsecast/calibrate/pooling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pulsecast::calibrate {

SortedScores sorted_scores(std::vector<float> scores, std::size_t horizon) {
  SortedScores sorted{scores.size() / horizon, std::move(scores), {}, 0.0};
  double squares = 0.0;
  double sizes = 0.0;
  for (std::size_t h = 0; h < horizon; ++h) {
    const auto first = sorted.values.begin() + static_cast<std::ptrdiff_t>(h * sorted.count);
    const auto last = first + static_cast<std::ptrdiff_t>(sorted.count);
    std::sort(first, last);
    double size = 0.0;
    double square = 0.0;
    for (const float score : sorted.step(h)) {
      size += std::abs(static_cast<double>(score));
      square += static_cast<double>(score) * static_cast<double>(score);
    }
    const auto count = static_cast<double>(std::max<std::size_t>(1, sorted.count));
    sorted.means.push_back(size / count);
    squares += square / count;
    sizes += (size / count) * (size / count);
  }
  sorted.tails = sizes > 0.0 ? squares / sizes : 0.0;
  return sorted;
}

std::vector<float> pooled_scores(std::span<const SortedScores> sets, std::size_t own, std::size_t h,
                                 std::size_t enough) {
  std::vector<std::size_t> order(sets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t set) {
    return set == own ? -1.0 : std::abs(sets[set].tails - sets[own].tails);
  });
  std::vector<float> pooled;
  const double unit = sets[own].means[h];
  for (const std::size_t set : order) {
    if (pooled.size() >= enough) break;
    if (set != own && !(sets[set].means[h] > 0.0)) continue;
    const double ratio = set == own ? 1.0 : unit / sets[set].means[h];
    for (const float score : sets[set].step(h)) {
      pooled.push_back(static_cast<float>(ratio * static_cast<double>(score)));
    }
  }
  std::ranges::sort(pooled);
  return pooled;
}

}  // namespace pulsecast::calibrate
