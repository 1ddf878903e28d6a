#include "pulsecast/autodiff/lane_sum.h"

#include <algorithm>
#include <cassert>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/pointwise/elementwise.h"

namespace pulsecast::autodiff {
namespace {

// How many buffers may be in use at once. Of lanes that were opened in order and have all ended,
// there are the roots but one, and a sum at each level under the last root. A lane that is open
// among them keeps its neighbours at each level from being added.
std::size_t most_buffers_of(std::size_t threads) {
  constexpr std::size_t kLevels = SumTree::kMostSums;
  return std::min(kMostLanes, (kMostRoots - 1 + kLevels) + (threads - 1) * kLevels + threads);
}

}  // namespace

LaneSum::LaneSum(Parameters& parameters, const GradientLayout& layout, std::size_t threads)
    : layout_(layout), shared_first_(parameters.views().size()) {
  const std::size_t buffers = most_buffers_of(threads);
  buffers_.reserve(buffers);
  free_.reserve(buffers);
  for (std::size_t i = 0; i < buffers; ++i) {
    buffers_.push_back(std::make_unique_for_overwrite<float[]>(layout.count()));
  }
  bound_.reserve(kMostLanes);
  for (std::size_t lane = 0; lane < kMostLanes; ++lane) bound_.emplace_back(parameters, layout);
}

void LaneSum::bind(const PackedWeights& packed) {
  for (BoundParameters& bound : bound_) packed.bind(bound);
}

void LaneSum::begin(std::size_t lanes) {
  assert(lanes <= kMostLanes);
  lanes_ = lanes;
  tree_.begin(lanes);
  // All of them, also those that a step which failed had in use; the first on top.
  free_.clear();
  for (auto buffer = buffers_.rbegin(); buffer != buffers_.rend(); ++buffer) {
    free_.push_back(buffer->get());
  }
}

void LaneSum::open(std::size_t lane) {
  {
    const std::lock_guard lock(mutex_);
    assert(!free_.empty());
    buffer_of_[lane] = free_.back();
    free_.pop_back();
    most_in_use_ = std::max(most_in_use_, buffers_.size() - free_.size());
  }
  bound_[lane].bind(layout_, buffer_of_[lane]);
}

void LaneSum::close(std::size_t lane, double loss) {
  losses_[lane] = loss;
  SumTree::Place place{.level = 0, .index = lane};
  for (;;) {
    SumTree::Sums others;
    {
      const std::lock_guard lock(mutex_);
      others = tree_.climb(place, lane);
    }
    if (others.lanes().empty()) return;
    add(lane, others.lanes());
    const std::lock_guard lock(mutex_);
    for (const std::size_t other : others.lanes()) free_.push_back(buffer_of_[other]);
  }
}

// All in one pass over the memory. Which of two is the first to be added makes no difference.
void LaneSum::add(std::size_t lane, std::span<const std::size_t> others) {
  const profile::Scope scope("add lanes");
  const std::span<GradientSlot> own = bound_[lane].slots();
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::array<const float*, SumTree::kMostSums + 1> from{};
    std::size_t count = 0;
    if (own[i].written) from[count++] = own[i].data;
    for (const std::size_t other : others) {
      const GradientSlot& slot = bound_[other].slots()[i];
      if (slot.written) from[count++] = slot.data;
    }
    const bool is_own_alone = count == 1 && own[i].written;
    if (count == 0 || is_own_alone) continue;
    kernels::add_in_order(layout_.pieces()[i].count, std::span(from).first(count), own[i].data);
    own[i].written = true;
  }
}

float* LaneSum::shared(std::size_t value) {
  const std::size_t piece = shared_first_ + value;
  std::array<const float*, kMostRoots> from{};
  std::size_t count = 0;
  float* sum = nullptr;
  for (const std::size_t lane : roots()) {
    const GradientSlot& slot = bound_[lane].slots()[piece];
    if (!slot.written) continue;
    if (sum == nullptr) sum = slot.data;
    from[count++] = slot.data;
  }
  if (count > 1) {
    kernels::add_in_order(layout_.pieces()[piece].count, std::span(from).first(count), sum);
  }
  return sum;
}

double LaneSum::loss() const {
  std::array<double, kMostLanes> losses = losses_;
  return sum_by_tree(std::span(losses).first(lanes_));
}

std::size_t LaneSum::memory() const {
  std::size_t touched = 0;
  for (std::size_t i = 0; i < layout_.pieces().size(); ++i) {
    const bool is_touched = std::ranges::any_of(
        roots(), [&](std::size_t lane) { return bound_[lane].slots()[i].written; });
    touched += is_touched ? layout_.pieces()[i].count : 0;
  }
  return most_in_use_ * touched * sizeof(float);
}

}  // namespace pulsecast::autodiff
