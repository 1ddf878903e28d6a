#include "pulsecast/autodiff/lanes.h"

#include <algorithm>

#include "pulsecast/kernels/elementwise.h"

namespace pulsecast::autodiff {
namespace {

// A task of the reduction: small enough that the eight pieces it reads stay in the cache.
constexpr std::size_t kReduceChunk = 8192;

}  // namespace

Lanes::Lanes(Parameters& parameters, ThreadPool& pool)
    : pool_(pool), gradients_(parameters.count()) {
  buffers_.reserve(kLanes);
  lanes_.reserve(kLanes);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    buffers_.emplace_back(parameters.count());
    lanes_.emplace_back(parameters, buffers_.back());
  }
  for (std::size_t worker = 0; worker < pool.size(); ++worker) {
    arenas_.push_back(std::make_unique<Arena>());
  }
}

void Lanes::begin() {
  for (BoundParameters& lane : lanes_) lane.begin();
  losses_.fill(0.0);
}

double Lanes::finish() {
  each([](std::size_t, BoundParameters& lane) { lane.finish(); });
  const std::size_t count = gradients_.size();
  pool_.run((count + kReduceChunk - 1) / kReduceChunk, [&](std::size_t chunk, std::size_t) {
    const std::size_t start = chunk * kReduceChunk;
    std::array<const float*, kLanes> lanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = buffers_[lane].data() + start;
    kernels::add_eight(std::min(kReduceChunk, count - start), lanes, gradients_.data() + start);
  });
  // Which lanes a worker got is chance; the next step may give any of them the largest shard.
  std::size_t largest = 0;
  for (const auto& arena : arenas_) largest = std::max(largest, arena->peak());
  for (const auto& arena : arenas_) arena->reset(largest);
  const auto& l = losses_;
  return ((l[0] + l[1]) + (l[2] + l[3])) + ((l[4] + l[5]) + (l[6] + l[7]));
}

std::size_t Lanes::memory() const {
  std::size_t bytes = (kLanes + 1) * gradients_.size() * sizeof(float);
  for (const auto& arena : arenas_) bytes += arena->capacity();
  return bytes;
}

}  // namespace pulsecast::autodiff
