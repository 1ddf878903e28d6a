// The order in which windows are visited, cut into batches.
//
// Shuffled for training: a permutation that is a pure function of (seed, epoch), so that any epoch
// can be begun again without replaying those before it. In sequence for validation and test, where
// the last batch may be smaller and no window is dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pulsecast {

class WindowOrder {
 public:
  // In sequence, the last batch as small as it comes out.
  static WindowOrder sequential(std::size_t windows, std::size_t batch);
  // To be shuffled, a last partial batch left out. Fewer windows than a batch: the batch is all of
  // them. Begins as shuffle(seed, 0).
  static WindowOrder shuffled(std::size_t windows, std::size_t batch, std::uint64_t seed);

  // The order of another epoch. Allocates nothing. Only for an order that is shuffled.
  void shuffle(std::uint64_t seed, std::uint32_t epoch);

  std::size_t batches() const { return batches_; }
  // The windows of a batch, in the order of its samples.
  std::span<const std::uint32_t> batch(std::size_t index) const;

 private:
  WindowOrder(std::size_t windows, std::size_t batch, std::size_t batches);

  std::vector<std::uint32_t> order_;
  std::size_t batch_;
  std::size_t batches_;
};

}  // namespace pulsecast
