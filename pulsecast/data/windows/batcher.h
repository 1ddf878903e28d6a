// Batches gathered by many threads into memory that is used again and again.
#pragma once

#include <span>

#include "pulsecast/base/arena.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/windows/windows.h"

namespace pulsecast {

class Batcher {
 public:
  // `windows` and `pool` outlive it.
  Batcher(const Windows& windows, std::size_t samples, ThreadPool& pool)
      : windows_(windows), pool_(pool), batch_(allocate_batch(windows.shape(samples), arena_)) {}

  // The batch of these windows, at most as many as there is memory for; good until the next call.
  const Batch& gather(std::span<const std::uint32_t> windows);

  std::size_t memory() const { return arena_.capacity(); }

 private:
  const Windows& windows_;
  ThreadPool& pool_;
  Arena arena_;
  Batch batch_;
};

}  // namespace pulsecast
