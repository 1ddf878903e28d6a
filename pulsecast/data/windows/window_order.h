// The order in which windows are visited, cut into batches.
//
// Shuffled for training: a permutation that is a pure function of (seed, epoch), so that any epoch
// can be begun again without replaying those before it. Drawn for panels, with the same promise:
// there an epoch is no pass over all windows, and a list of all would weigh what the data weigh. In
// sequence for validation and test, where the last batch may be smaller and no window is dropped.
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

  // So many batches an epoch of windows drawn at random, which may come twice. first_of_series
  // (series + 1): windows of a series are numbered from its own on to that of the next. Evenly:
  // every series that has windows comes equally often, whatever its length, in an order drawn anew
  // each time round; else every window is as likely. Begins as shuffle(seed, 0).
  static WindowOrder drawn(std::span<const std::uint32_t> first_of_series, bool evenly,
                           std::size_t batch, std::size_t batches, std::uint64_t seed);

  // The order of another epoch. Allocates nothing. Not for an order in sequence.
  void shuffle(std::uint64_t seed, std::uint32_t epoch);

  std::size_t batches() const { return batches_; }
  // The windows of a batch, in the order of its samples.
  std::span<const std::uint32_t> batch(std::size_t index) const;

 private:
  WindowOrder(std::size_t windows, std::size_t batch, std::size_t batches);

  void draw(std::uint64_t seed, std::uint32_t epoch);

  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> first_of_;  // of drawn ones, with the end: series that have windows
  std::vector<std::uint32_t> round_;     // the series in an order; none where windows are alike
  std::size_t batch_;
  std::size_t batches_;
};

}  // namespace pulsecast
