// How a batch is cut for many threads: the one rule of training and inference.
//
// Nothing but the batch's shape is asked, so results do not depend on threads. What is cut too fine
// is slow on few threads: a shard's products then do little with the weights they read, and each
// lane's gradients are one more pass over the weights. What is cut too coarse leaves threads
// without work. Decision 18 has the measurements; these constants are what there is to tune.
#pragma once

#include <cstddef>

#include "pulsecast/autodiff/lanes.h"

namespace pulsecast::model {

// Rows (channels of samples) that a lane has at least. A batch of 256 samples has 16 lanes where
// they have 7 channels, and 64, as many as there may be, from 21 channels on.
inline constexpr std::size_t kLaneRows = 84;
// Rows that a shard has at most, unless one sample has more: what a pass makes of them stays in the
// second-level cache. A batch of no more is one shard, whose operations share the threads.
inline constexpr std::size_t kShardRows = 256;
// Distinct calendars that a lane encodes at least, once there are eight lanes: an encoder has many
// weights and does little with each, so its gradients are dear to add.
inline constexpr std::size_t kLaneCalendars = 16;

struct SampleRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

class BatchCut {
 public:
  // Lanes are whole samples, as many lanes as threads divide evenly: 1, 2, 4, 8, 16, 24, ... , or
  // one per sample where samples are few.
  BatchCut(std::size_t samples, std::size_t channels);
  // All of it in one shard.
  static BatchCut whole(std::size_t samples) { return BatchCut(samples, {1, 1}); }

  std::size_t lanes() const { return cut_.lanes; }
  std::size_t shards() const { return cut_.shards; }
  const autodiff::LaneCut& cut() const { return cut_; }
  // The samples of a shard: shards are as even as whole samples can be.
  SampleRange shard(std::size_t index) const;

 private:
  BatchCut(std::size_t samples, autodiff::LaneCut cut) : samples_(samples), cut_(cut) {}

  std::size_t samples_;
  autodiff::LaneCut cut_;
};

// How many windows are forecast together at least where nobody waits for one: a batch of fewer
// would be one shard, and all threads but one would have nothing to do.
std::size_t windows_together(std::size_t channels);

// Lanes for the encodings of so many distinct calendars.
std::size_t lanes_of_calendars(std::size_t calendars);

}  // namespace pulsecast::model
