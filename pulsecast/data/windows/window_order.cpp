#include "pulsecast/data/windows/window_order.h"

#include <algorithm>
#include <cassert>
#include <iterator>
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

WindowOrder WindowOrder::drawn(std::span<const std::uint32_t> first_of_series, bool evenly,
                               std::size_t batch, std::size_t batches, std::uint64_t seed) {
  assert(batch >= 1);
  WindowOrder order(batch * batches, batch, batches);
  std::ranges::unique_copy(first_of_series, std::back_inserter(order.first_of_));
  if (evenly) order.round_.resize(order.first_of_.size() - 1);
  order.shuffle(seed, 0);
  return order;
}

void WindowOrder::draw(std::uint64_t seed, std::uint32_t epoch) {
  const random::Stream stream{.seed = seed, .purpose = random::Purpose::kDraw, .epoch = epoch};
  for (std::size_t i = 0; i < order_.size(); ++i) {
    std::uint32_t first = first_of_.front();
    std::uint32_t end = first_of_.back();
    if (!round_.empty()) {
      const std::size_t place = i % round_.size();
      if (place == 0) {
        const auto round = static_cast<std::uint32_t>(i / round_.size());
        random::permutation(
            {.seed = seed, .purpose = random::Purpose::kShuffle, .epoch = epoch, .step = round},
            round_);
      }
      first = first_of_[round_[place]];
      end = first_of_[round_[place] + 1];
    }
    const double share = random::uniform(stream, i);
    order_[i] = first + static_cast<std::uint32_t>(share * static_cast<double>(end - first));
  }
}

void WindowOrder::shuffle(std::uint64_t seed, std::uint32_t epoch) {
  if (!first_of_.empty()) {
    draw(seed, epoch);
    return;
  }
  random::permutation({.seed = seed, .purpose = random::Purpose::kShuffle, .epoch = epoch}, order_);
}

std::span<const std::uint32_t> WindowOrder::batch(std::size_t index) const {
  assert(index < batches_);
  const std::size_t first = index * batch_;
  return std::span(order_).subspan(first, std::min(batch_, order_.size() - first));
}

}  // namespace pulsecast
