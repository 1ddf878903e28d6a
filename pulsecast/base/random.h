// Random numbers as pure functions: no generator, no state, nothing to save or to seed twice.
//
// A draw is named by the seed, what it is for, where training stands (epoch, step) and an index.
// The name becomes the counter of Philox4x32-10 (Salmon et al., 2011), whose output is the draw.
// Any thread may make any draw in any order and gets the same bits; a resumed run needs nothing
// but the position it stopped at.
//
//   128-bit counter: word 0, 1   index of a 128-bit block inside the stream
//                    word 2      step
//                    word 3      purpose (8 bits), epoch (24 bits)
//   64-bit key:      seed
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace pulsecast::random {

using Block = std::array<std::uint32_t, 4>;

// The bare bijection: 128 bits in, 128 bits out, for one key.
Block philox4x32(Block counter, std::uint64_t key);

// What a draw is for. Values are part of the promise that a seed gives the same model for ever:
// append, never renumber.
enum class Purpose : std::uint8_t {
  kTest = 0,
  kInitialise = 1,
  kShuffle = 2,
  kMixupWeight = 3,
  kMixupPartner = 4,
  kAttentionDropout = 5,
  kDropout = 6,
  kSynthetic = 7,
  kDraw = 8,
  kQuantileHead = 9,
};

struct Stream {
  std::uint64_t seed = 0;
  Purpose purpose = Purpose::kTest;
  std::uint32_t epoch = 0;  // below 2^24
  std::uint32_t step = 0;
};

// The 128 bits at `index` of a stream. All draws below are functions of this one.
Block block(const Stream& stream, std::uint64_t index);

// Uniform in [0, 1) with 53 bits, at `index`.
double uniform(const Stream& stream, std::uint64_t index);

// Standard normal, at `index` (Box-Muller).
double normal(const Stream& stream, std::uint64_t index);

// Beta(a, a) in [0, 1], at `index`, a > 0. Two gamma draws in log space, so that small `a` does
// not underflow: at a = 0.15 most gammas are far below the smallest double.
double beta(const Stream& stream, std::uint64_t index, double a);

// Fisher-Yates: fills `out` with a permutation of 0 .. out.size()-1 (size below 2^32).
void permutation(const Stream& stream, std::span<std::uint32_t> out);

// The multiplier of dropout for elements [0, out.size()) of row `row`: 0 with probability `rate`,
// otherwise 1/(1-rate). Probability is kept to 16 bits; a row has at most 2^19 elements.
void dropout_scale(const Stream& stream, std::uint64_t row, float rate, std::span<float> out);

}  // namespace pulsecast::random
