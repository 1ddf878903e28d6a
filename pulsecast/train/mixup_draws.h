// Whom each sample is mixed with, and how much: a pure function of (seed, epoch, step).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pulsecast::train {

struct MixupDraw {
  float weight = 1.0f;                      // of the sample itself; one for the whole batch
  std::span<const std::uint32_t> partners;  // (B) a permutation of the samples
};

class MixupDraws {
 public:
  // Weights are drawn from Beta(alpha, alpha).
  MixupDraws(std::uint64_t seed, double alpha) : seed_(seed), alpha_(alpha) {}

  // For a batch of `samples`. The draw is good until the next. Allocates nothing for as many
  // samples as it has seen before.
  MixupDraw draw(std::uint32_t epoch, std::uint32_t step, std::size_t samples);

 private:
  std::uint64_t seed_;
  double alpha_;
  std::vector<std::uint32_t> partners_;
};

}  // namespace pulsecast::train
