// The tree by which lanes are added, whoever adds them and whenever.
//
// Neighbours are added pair by pair, then the sums of pairs, and so on:
//
//   ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)) ...
//
// and one that has no neighbour goes up as it is. The tree follows from the number of lanes alone.
// Lanes end in any order; who ends one goes up as far as the others have come, and leaves the sum
// for whoever comes later. The last few sums, the tree's roots, are left for all threads together:
// high in the tree a single thread would add while the others wait.
//
// This is the bookkeeping; what is added is the caller's. Not for two threads at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pulsecast::autodiff {

inline constexpr std::size_t kMostLanes = 64;
inline constexpr std::size_t kMostRoots = 4;

class SumTree {
 public:
  // A sum on its way up: that of a lane, of a pair, ...
  struct Place {
    std::size_t level = 0;
    std::size_t index = 0;
  };
  // Lanes that hold the sums to be added, at most one for each level under the roots.
  static constexpr std::size_t kMostSums = 4;
  static_assert(kMostRoots << kMostSums == kMostLanes);
  class Sums {
   public:
    std::span<const std::size_t> lanes() const { return std::span(lanes_).first(count_); }
    void add(std::size_t lane) { lanes_[count_++] = lane; }

   private:
    std::array<std::size_t, kMostSums> lanes_{};
    std::size_t count_ = 0;
  };

  // None of `lanes`, at most kMostLanes, has ended.
  void begin(std::size_t lanes);

  // Lane `holder` has the sum of `place`. What is to be added to it now, in this order, by which it
  // becomes the sum of `place` as it is after the call; nothing where a neighbour is not there yet
  // (who ends that one will take this one up) or where the place is a root.
  Sums climb(Place& place, std::size_t holder);

  // When all lanes have ended: the lanes that hold the roots, at most kMostRoots, in their order.
  std::span<const std::size_t> roots() const {
    return std::span(holder_[top_]).first(width_[top_]);
  }

 private:
  static constexpr std::size_t kNobody = SIZE_MAX;
  static constexpr std::size_t kLevels = kMostSums + 1;

  std::size_t top_ = 0;  // the level of the roots
  std::array<std::size_t, kLevels> width_{};
  std::array<std::array<std::size_t, kMostLanes>, kLevels> holder_{};
};

// The sum of values by the same tree; they are overwritten.
double sum_by_tree(std::span<double> values);

}  // namespace pulsecast::autodiff
