// How a training step uses many threads and still gives the same bits on any number of them.
//
// A batch is cut into shards by a rule that does not know about threads. A lane is a fixed run of
// shards, done in order, forward and backward, into the lane's own gradient buffer. There are
// always eight lanes, and their gradients are always added in the same tree:
//
//   ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7))
//
// Threads pick up whole lanes, so one thread, two threads or four do the very same additions. A
// batch that is one shard is done by the operations of that shard together (base/team.h).
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "pulsecast/autodiff/parameters.h"
#include "pulsecast/autodiff/tape.h"
#include "pulsecast/base/arena.h"
#include "pulsecast/base/team.h"
#include "pulsecast/base/thread_pool.h"

namespace pulsecast::autodiff {

inline constexpr std::size_t kLanes = 8;

class Lanes {
 public:
  // `parameters` must have its final layout and outlive the lanes.
  Lanes(Parameters& parameters, ThreadPool& pool);

  // A whole step of one part: begin(), shards(), finish(). Returns the sum of the losses.
  template <typename Shard>
  double run(std::size_t count, Shard&& shard) {
    begin();
    shards(count, shard);
    return finish();
  }

  // A step of several parts begins with no gradient and no loss,
  void begin();
  // goes through parts that are cut into shards: calls shard(index, tape, parameters) -> loss
  // Tensor for every index in [0, count) and goes backward from each loss. The arena is reset
  // before each shard;
  template <typename Shard>
  void shards(std::size_t count, Shard&& shard) {
    const auto run_one = [&](std::size_t index, std::size_t lane, std::size_t worker,
                             const Team& team) {
      Arena& arena = *arenas_[worker];
      arena.reset();
      Tape tape(arena, Tape::Mode::kTraining, team);
      const Tensor value = shard(index, tape, lanes_[lane]);
      losses_[lane] += *value.data;
      tape.backward(value);
    };
    // One shard alone would leave all threads but one idle, so its operations share them.
    if (count == 1) return run_one(0, kLanes - 1, 0, Team(pool_));
    pool_.run(kLanes, [&](std::size_t lane, std::size_t worker) {
      for (std::size_t i = first(lane, count); i < first(lane + 1, count); ++i) {
        run_one(i, lane, worker, Team());
      }
    });
  }
  // or that have a tape of their own a lane: calls body(lane, parameters);
  template <typename Body>
  void each(Body&& body) {
    pool_.run(kLanes, [&](std::size_t lane, std::size_t) { body(lane, lanes_[lane]); });
  }
  // and ends with the sum over lanes: returns that of the losses, and gradients() is that of the
  // gradients.
  double finish();

  // The run of `count` things that lane `lane` has: [first(lane), first(lane + 1)).
  static std::size_t first(std::size_t lane, std::size_t count) { return lane * count / kLanes; }

  // The lane that has thing `index` of `count`.
  static std::size_t lane_of(std::size_t index, std::size_t count) {
    std::size_t lane = index * kLanes / count;
    while (first(lane + 1, count) <= index) ++lane;
    return lane;
  }

  std::span<float> gradients() { return gradients_; }
  // Bytes of gradients and arenas.
  std::size_t memory() const;

 private:
  // A piece of one parameter: small enough that the eight pieces a task reads stay in the cache.
  struct Chunk {
    ParameterId parameter;
    std::size_t begin;  // in the flat buffer
    std::size_t count;
  };
  void add_lanes(const Chunk& chunk);

  ThreadPool& pool_;
  // One a lane, left as the system gives it: pages of what a lane never touches are never there.
  std::vector<std::unique_ptr<float[]>> buffers_;
  std::vector<Chunk> chunks_;
  std::vector<BoundParameters> lanes_;
  std::vector<std::unique_ptr<Arena>> arenas_;  // one a worker
  std::array<double, kLanes> losses_{};
  std::vector<float> gradients_;
};

}  // namespace pulsecast::autodiff
