#include "pulsecast/model/batch_cut.h"

#include <algorithm>
#include <bit>

namespace pulsecast::model {
namespace {

constexpr std::size_t kEven = 8;

// The most lanes, not above `most`, that 2, 4 and 8 threads divide evenly, or that divide eight.
std::size_t even_lanes(std::size_t most) {
  return most >= kEven ? most / kEven * kEven : std::bit_floor(most);
}

}  // namespace

BatchCut::BatchCut(std::size_t samples, std::size_t channels) : samples_(samples) {
  const std::size_t rows = samples * channels;
  if (rows <= kShardRows) {
    cut_.lanes = cut_.shards = std::min<std::size_t>(samples, 1);
    return;
  }
  const std::size_t lanes = even_lanes(std::min(rows / kLaneRows, autodiff::kMostLanes));
  cut_.lanes = std::min(lanes, samples);
  const std::size_t of_shard = std::max<std::size_t>(1, kShardRows / channels);
  const std::size_t of_lane = (samples + cut_.lanes - 1) / cut_.lanes;
  cut_.shards = std::min(samples, (of_lane + of_shard - 1) / of_shard * cut_.lanes);
}

SampleRange BatchCut::shard(std::size_t index) const {
  const std::size_t first = index * samples_ / cut_.shards;
  return {first, (index + 1) * samples_ / cut_.shards - first};
}

std::size_t windows_together(std::size_t channels) {
  constexpr std::size_t kLanes = 2 * kEven;
  return (kLanes * kLaneRows + channels - 1) / channels;
}

std::size_t lanes_of_calendars(std::size_t calendars) {
  return std::clamp(calendars / kLaneCalendars, std::min(kEven, calendars), autodiff::kMostLanes);
}

}  // namespace pulsecast::model
