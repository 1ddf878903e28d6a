#include "pulsecast/autodiff/sum_tree.h"

#include <algorithm>
#include <cassert>

namespace pulsecast::autodiff {

void SumTree::begin(std::size_t lanes) {
  assert(lanes <= kMostLanes);
  top_ = 0;
  width_[0] = lanes;
  std::fill_n(holder_[0].begin(), lanes, kNobody);
  while (width_[top_] > kMostRoots) {
    const std::size_t width = (width_[top_] + 1) / 2;
    width_[++top_] = width;
    std::fill_n(holder_[top_].begin(), width, kNobody);
  }
}

SumTree::Sums SumTree::climb(Place& place, std::size_t holder) {
  Sums sums;
  while (place.level < top_) {
    const std::size_t neighbour = place.index ^ 1;
    if (neighbour < width_[place.level]) {
      const std::size_t other = holder_[place.level][neighbour];
      if (other == kNobody) break;
      sums.add(other);
    }
    place = {place.level + 1, place.index / 2};
  }
  // Where there is something to add the sum is not ready yet.
  if (sums.lanes().empty()) holder_[place.level][place.index] = holder;
  return sums;
}

double sum_by_tree(std::span<double> values) {
  if (values.empty()) return 0.0;
  for (std::size_t width = values.size(); width > 1; width = (width + 1) / 2) {
    for (std::size_t i = 0; i < width / 2; ++i) values[i] = values[2 * i] + values[2 * i + 1];
    if (width % 2 != 0) values[width / 2] = values[width - 1];
  }
  return values[0];
}

}  // namespace pulsecast::autodiff
