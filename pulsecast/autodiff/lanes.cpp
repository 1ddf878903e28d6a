#include "pulsecast/autodiff/lanes.h"

#include <algorithm>
#include <array>

#include "pulsecast/kernels/pointwise/elementwise.h"

namespace pulsecast::autodiff {
namespace {

constexpr std::size_t kChunk = 8192;

// What a root adds that did not touch a parameter.
constexpr std::array<float, kChunk> kZeros{};

}  // namespace

Lanes::Lanes(Parameters& parameters, ThreadPool& pool, std::span<const std::size_t> shared)
    : pool_(pool),
      packed_(parameters, PackedWeights::Passes::kForwardAndBackward),
      layout_(parameters, shared),
      kept_layout_(parameters),
      shards_(parameters, layout_, pool.size()),
      kept_(parameters, kept_layout_, pool.size()),
      gradients_(parameters.count()) {
  shards_.bind(packed_);
  kept_.bind(packed_);
  for (std::size_t i = 0; i < parameters.views().size(); ++i) {
    const Parameters::View& view = parameters.views()[i];
    for (std::size_t at = 0; at < view.shape.count(); at += kChunk) {
      chunks_.push_back({i, view.offset + at, std::min(kChunk, view.shape.count() - at)});
    }
  }
  for (std::size_t worker = 0; worker < pool.size(); ++worker) {
    arenas_.push_back(std::make_unique<Arena>());
  }
}

void Lanes::begin() {
  packed_.pack(Team(pool_));
  shards_.begin(0);
  kept_.begin(0);
}

void Lanes::add_roots(const Chunk& chunk) {
  std::array<const float*, 2 * kMostRoots> from;
  from.fill(kZeros.data());
  bool is_touched = false;
  const auto gather = [&](LaneSum& sum, std::size_t first) {
    for (const std::size_t lane : sum.roots()) {
      const GradientSlot& slot = sum.weights(lane).slots()[chunk.parameter];
      if (slot.written) {
        from[first] = slot.data + (chunk.begin - layout_.pieces()[chunk.parameter].offset);
        is_touched = true;
      }
      ++first;
    }
  };
  gather(shards_, 0);
  gather(kept_, kMostRoots);
  float* to = gradients_.data() + chunk.begin;
  if (is_touched) {
    kernels::add_eight(chunk.count, from, to);
  } else {
    std::fill_n(to, chunk.count, 0.0f);
  }
}

// The one place where the gradient of a step comes together: before it there are sums of some
// lanes, after it gradients() and the loss. Training over several processes, each with some of the
// batch's lanes, would add those of the others here, as further levels of the tree.
double Lanes::finish() {
  // Parameters are many and mostly small, so a task is a run of chunks.
  const std::size_t tasks = std::min<std::size_t>(chunks_.size(), 64);
  pool_.run(tasks, [&](std::size_t task, std::size_t) {
    for (std::size_t i = task * chunks_.size() / tasks; i < (task + 1) * chunks_.size() / tasks;
         ++i) {
      add_roots(chunks_[i]);
    }
  });
  // Which lanes a worker got is chance; the next step may give any of them the largest shard.
  std::size_t largest = 0;
  for (const auto& arena : arenas_) largest = std::max(largest, arena->peak());
  for (const auto& arena : arenas_) arena->reset(largest);
  return shards_.loss();
}

std::size_t Lanes::memory() const {
  std::size_t bytes =
      packed_.memory() + gradients_.size() * sizeof(float) + shards_.memory() + kept_.memory();
  for (const auto& arena : arenas_) bytes += arena->capacity();
  return bytes;
}

}  // namespace pulsecast::autodiff
