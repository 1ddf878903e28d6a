#include "pulsecast/autodiff/lanes.h"

#include <algorithm>

#include "pulsecast/kernels/pointwise/elementwise.h"

namespace pulsecast::autodiff {
namespace {

constexpr std::size_t kChunk = 8192;

// What a lane adds that did not touch a parameter.
constexpr std::array<float, kChunk> kZeros{};

}  // namespace

Lanes::Lanes(Parameters& parameters, ThreadPool& pool)
    : pool_(pool), gradients_(parameters.count()) {
  buffers_.reserve(kLanes);
  lanes_.reserve(kLanes);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    buffers_.push_back(std::make_unique_for_overwrite<float[]>(parameters.count()));
    lanes_.emplace_back(parameters, std::span(buffers_.back().get(), parameters.count()));
  }
  for (std::size_t i = 0; i < parameters.views().size(); ++i) {
    const Parameters::View& view = parameters.views()[i];
    for (std::size_t at = 0; at < view.shape.count(); at += kChunk) {
      chunks_.push_back({{i}, view.offset + at, std::min(kChunk, view.shape.count() - at)});
    }
  }
  for (std::size_t worker = 0; worker < pool.size(); ++worker) {
    arenas_.push_back(std::make_unique<Arena>());
  }
}

void Lanes::begin() {
  for (BoundParameters& lane : lanes_) lane.begin();
  losses_.fill(0.0);
}

void Lanes::add_lanes(const Chunk& chunk) {
  std::array<const float*, kLanes> from;
  bool is_touched = false;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const bool own = lanes_[lane].is_touched(chunk.parameter);
    from[lane] = own ? buffers_[lane].get() + chunk.begin : kZeros.data();
    is_touched = is_touched || own;
  }
  float* to = gradients_.data() + chunk.begin;
  if (is_touched) {
    kernels::add_eight(chunk.count, from, to);
  } else {
    std::fill_n(to, chunk.count, 0.0f);
  }
}

double Lanes::finish() {
  // Parameters are many and mostly small, so a task is a run of chunks.
  const std::size_t tasks = std::min<std::size_t>(chunks_.size(), 64);
  pool_.run(tasks, [&](std::size_t task, std::size_t) {
    for (std::size_t i = task * chunks_.size() / tasks; i < (task + 1) * chunks_.size() / tasks;
         ++i) {
      add_lanes(chunks_[i]);
    }
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
