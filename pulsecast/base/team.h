// Threads that share the work inside one operation, for steps that are not cut into shards.
//
// Work is cut into parts by its size alone, whoever is there to do them: sums over parts and
// products that were cut have the same bits on any number of threads. A team without a pool is the
// calling thread, and everything is one part.
#pragma once

#include <algorithm>
#include <cstddef>

#include "pulsecast/base/thread_pool.h"

namespace pulsecast {

class Team {
 public:
  static constexpr std::size_t kMostParts = 64;

  Team() = default;
  // `pool` outlives the team. Not to be used by what the pool itself runs.
  explicit Team(ThreadPool& pool) : pool_(&pool) {}

  struct Part {
    std::size_t index;   // of the part
    std::size_t worker;  // below workers(); parts at the same time have different ones
    std::size_t first;   // of its things
    std::size_t count;
  };

  bool is_alone() const { return pool_ == nullptr; }
  std::size_t workers() const { return is_alone() ? 1 : pool_->size(); }

  // Into how many parts `count` things are cut: at least `grain` of them in each, and where that
  // would be more than eight parts, larger ones, so that few threads have little to hand out and
  // little to do twice: eight parts for every 32 grains, at most kMostParts.
  std::size_t parts(std::size_t count, std::size_t grain) const {
    constexpr std::size_t kEven = 8;
    if (is_alone()) return 1;
    const std::size_t grains = count / std::max<std::size_t>(grain, 1);
    const std::size_t most = std::clamp(grains / (4 * kEven) * kEven, kEven, kMostParts);
    return std::clamp<std::size_t>(grains, 1, most);
  }

  // body(part) for every part.
  template <typename Body>
  void split(std::size_t count, std::size_t grain, Body&& body) const {
    run(parts(count, grain), count, body);
  }
  // The same for a number of parts that was chosen before.
  template <typename Body>
  void run(std::size_t parts, std::size_t count, Body&& body) const {
    const auto one = [&](std::size_t index, std::size_t worker) {
      const std::size_t first = index * count / parts;
      body(Part{index, worker, first, (index + 1) * count / parts - first});
    };
    if (parts > 1 && !is_alone()) {
      pool_->run(parts, one);
    } else {
      for (std::size_t index = 0; index < parts; ++index) one(index, 0);
    }
  }

 private:
  ThreadPool* pool_ = nullptr;
};

}  // namespace pulsecast
