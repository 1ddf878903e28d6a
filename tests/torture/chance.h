// Draws of one round: functions of (seed, round), so that a round can be had again without those
// before it.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace pulsecast::torture {

class Chance {
 public:
  Chance(std::uint64_t seed, std::uint64_t round) {
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    std::seed_seq words{low(seed), low(seed >> 32), low(round), low(round >> 32)};
    generator_.seed(words);
  }

  // Of 0 .. count-1. The bias of a remainder is of no matter here.
  std::size_t below(std::size_t count) { return generator_() % count; }
  double fraction() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <typename T>
  const T& of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace pulsecast::torture
