// Gradients of lanes, added up by the fixed tree (sum_tree.h) while the lanes run.
//
// A lane has memory for its gradients from open() to close(). Whoever closes a lane adds what can
// be added and gives memory back, so there are about as many buffers in use as lanes are open, and
// one more for each level of the tree: with two threads and 64 lanes a dozen at most, not 64.
// Memory that was given back last is given out first, and what was never given out stays as the
// system gives it: pages that nobody has touched are not there.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "pulsecast/autodiff/packed_weights.h"
#include "pulsecast/autodiff/parameters.h"
#include "pulsecast/autodiff/sum_tree.h"

namespace pulsecast::autodiff {

class LaneSum {
 public:
  // For at most `threads` lanes that are open at once, opened in their order. `parameters` and
  // `layout` outlive it.
  LaneSum(Parameters& parameters, const GradientLayout& layout, std::size_t threads);

  // What the lanes' tapes multiply with; it outlives this.
  void bind(const PackedWeights& packed);

  // A new sum, of nothing yet, over `lanes` lanes.
  void begin(std::size_t lanes);
  std::size_t lanes() const { return lanes_; }

  // The weights as a lane's tapes know them. They may go forward before the lane is open.
  BoundParameters& weights(std::size_t lane) { return bound_[lane]; }

  // From open() to close() a lane may go back. For one thread a lane, lanes at the same time. A
  // lane that gathered nothing for a parameter adds nothing to it.
  void open(std::size_t lane);
  void close(std::size_t lane, double loss = 0.0);

  // When all lanes are closed: sums that are left to add, by the tree; lanes whose weights() have
  // them.
  std::span<const std::size_t> roots() const { return tree_.roots(); }
  // The gradient of a shared value, summed; null where there is none. Once for each.
  float* shared(std::size_t value);
  double loss() const;

  // Buffers that were in use at once, at most.
  std::size_t most_buffers() const { return most_in_use_; }
  // Bytes that the gradients of the last sum took.
  std::size_t memory() const;

 private:
  void add(std::size_t lane, std::span<const std::size_t> others);

  const GradientLayout& layout_;
  std::size_t lanes_ = 0;
  std::size_t shared_first_;  // the piece of the first shared value
  std::vector<std::unique_ptr<float[]>> buffers_;
  std::vector<BoundParameters> bound_;          // one per lane
  std::array<float*, kMostLanes> buffer_of_{};  // an open lane's, or a sum's
  std::array<double, kMostLanes> losses_{};

  std::mutex mutex_;  // of the below
  SumTree tree_;
  std::vector<float*> free_;  // the last is given out first
  std::size_t most_in_use_ = 0;
};

}  // namespace pulsecast::autodiff
