// The matrices among a model's weights in the order in which products read them (PackedMatrix),
// packed once for everything that multiplies with them while they stand still: all shards of a
// training step, all batches of a pass, all windows of a session.
#pragma once

#include <cstddef>
#include <vector>

#include "pulsecast/autodiff/parameters.h"
#include "pulsecast/base/arena.h"
#include "pulsecast/base/team.h"
#include "pulsecast/kernels/products/linear.h"

namespace pulsecast::autodiff {

class PackedWeights {
 public:
  // Going back multiplies with a weight the other way round, and so needs a second copy.
  enum class Passes { kForward, kForwardAndBackward };

  // `parameters` must have its final layout and outlive it.
  PackedWeights(const Parameters& parameters, Passes passes);

  // Packs the weights as they are.
  void pack(const Team& team);

  // From now on tapes multiply with what pack() packed last. This outlives `bound`.
  void bind(BoundParameters& bound) const;

  std::size_t memory() const { return arena_.capacity(); }

 private:
  struct Entry {
    std::size_t parameter;
    kernels::PackedWeight packed;
    float* transposed;
    float* plain;  // null where nobody goes back
  };

  const Parameters& parameters_;
  Arena arena_;
  std::vector<Entry> entries_;
};

}  // namespace pulsecast::autodiff
