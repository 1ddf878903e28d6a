#include "pulsecast/data/windows/window_order.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "pulsecast/base/random.h"

namespace pulsecast {

WindowOrder::WindowOrder(std::size_t windows, std::size_t batch, std::size_t batches)
    : order_(windows), batch_(batch), batches_(batches) {
  std::iota(order_.begin(), order_.end(), 0u);
}

WindowOrder WindowOrder::sequential(std::size_t windows, std::size_t batch) {
  assert(batch >= 1);
  return {windows, batch, (windows + batch - 1) / batch};
}

WindowOrder WindowOrder::shuffled(std::size_t windows, std::size_t batch, std::uint64_t seed) {
  assert(batch >= 1);
  const std::size_t whole = std::max<std::size_t>(1, std::min(batch, windows));
  WindowOrder order(windows, whole, windows / whole);
  order.shuffle(seed, 0);
  return order;
}

void WindowOrder::shuffle(std::uint64_t seed, std::uint32_t epoch) {
  random::permutation({.seed = seed, .purpose = random::Purpose::kShuffle, .epoch = epoch}, order_);
}

std::span<const std::uint32_t> WindowOrder::batch(std::size_t index) const {
  assert(index < batches_);
  const std::size_t first = index * batch_;
  return std::span(order_).subspan(first, std::min(batch_, order_.size() - first));
}

}  // namespace pulsecast
