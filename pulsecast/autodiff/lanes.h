// How a training step uses many threads and still gives the same bits on any number of them.
//
// A batch is cut into lanes and shards by a rule that does not know about threads. A lane is a
// fixed run of shards, done in order, forward and backward, into gradients of the lane's own. The
// lanes' gradients are added by a fixed tree (sum_tree.h) as the lanes end (lane_sum.h). Threads
// pick up whole lanes, so one thread, two threads or sixty do the very same additions. A batch that
// is one shard is done by the operations of that shard together (base/team.h).
//
// A step may also have a part whose tapes are kept: it goes forward before the shards, which read
// its results, and back after them. It has lanes of its own number, and a sum of its own: the
// weights it touches are mostly others than the shards'.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "pulsecast/autodiff/lane_sum.h"
#include "pulsecast/autodiff/packed_weights.h"
#include "pulsecast/autodiff/parameters.h"
#include "pulsecast/autodiff/tape.h"
#include "pulsecast/base/arena.h"
#include "pulsecast/base/team.h"
#include "pulsecast/base/thread_pool.h"

namespace pulsecast::autodiff {

// Into how many lanes a batch is cut, and into how many shards in all: `shards` >= `lanes`.
struct LaneCut {
  std::size_t lanes = 0;  // at most kMostLanes
  std::size_t shards = 0;

  // The shards that a lane has: [first(lane), first(lane + 1)).
  std::size_t first(std::size_t lane) const { return lane * shards / lanes; }
};

class Lanes {
 public:
  // `parameters` must have its final layout and outlive the lanes. `shared` has the floats of each
  // value whose gradients the shards gather beside those of parameters (BoundParameters::shared).
  Lanes(Parameters& parameters, ThreadPool& pool, std::span<const std::size_t> shared = {});

  // A whole step without a part that is kept. Returns the sum of the losses.
  template <typename Shard>
  double run(const LaneCut& cut, Shard&& shard) {
    begin();
    shards(cut, shard);
    return finish();
  }

  // A step begins with the weights as they are, no gradient and no loss,
  void begin();
  // runs forward what is kept: body(lane, weights) for each of `lanes` lanes;
  template <typename Body>
  void kept_forward(std::size_t lanes, Body&& body) {
    kept_.begin(lanes);
    pool_.run(lanes, [&](std::size_t lane, std::size_t) { body(lane, kept_.weights(lane)); });
  }
  // runs the shards: calls shard(index, tape, weights) -> loss Tensor for every index below
  // cut.shards and goes backward from each loss. The arena is reset before each shard;
  template <typename Shard>
  void shards(const LaneCut& cut, Shard&& shard) {
    shards_.begin(cut.lanes);
    const auto run_lane = [&](std::size_t lane, std::size_t worker, const Team& team) {
      shards_.open(lane);
      double loss = 0.0;
      for (std::size_t index = cut.first(lane); index < cut.first(lane + 1); ++index) {
        Arena& arena = *arenas_[worker];
        arena.reset();
        Tape tape(arena, Tape::Mode::kTraining, team);
        const Tensor value = shard(index, tape, shards_.weights(lane));
        loss += *value.data;
        tape.backward(value);
      }
      shards_.close(lane, loss);
    };
    // One shard alone would leave all threads but one idle, so its operations share them.
    if (cut.shards == 1) return run_lane(0, 0, Team(pool_));
    pool_.run(cut.lanes,
              [&](std::size_t lane, std::size_t worker) { run_lane(lane, worker, Team()); });
  }
  // has what the shards gathered for a shared value, null where that is nothing;
  float* shared_gradient(std::size_t value) { return shards_.shared(value); }
  // runs back what was kept: body(lane);
  template <typename Body>
  void kept_backward(Body&& body) {
    pool_.run(kept_.lanes(), [&](std::size_t lane, std::size_t) {
      kept_.open(lane);
      body(lane);
      kept_.close(lane);
    });
  }
  // and ends with the sum over lanes: returns that of the losses, and gradients() is that of the
  // gradients.
  double finish();

  std::span<float> gradients() { return gradients_; }
  // Bytes of gradients, arenas and packed weights.
  std::size_t memory() const;
  // Buffers of gradients that were in use at once, at most: of the shards' lanes.
  std::size_t most_buffers() const { return shards_.most_buffers(); }

 private:
  // A piece of one parameter: small enough that what a task reads stays in the cache.
  struct Chunk {
    std::size_t parameter;
    std::size_t begin;  // in the flat buffer
    std::size_t count;
  };
  void add_roots(const Chunk& chunk);

  ThreadPool& pool_;
  PackedWeights packed_;
  GradientLayout layout_;
  GradientLayout kept_layout_;
  LaneSum shards_;
  LaneSum kept_;
  std::vector<Chunk> chunks_;
  std::vector<std::unique_ptr<Arena>> arenas_;  // one per worker
  std::vector<float> gradients_;
};

}  // namespace pulsecast::autodiff
