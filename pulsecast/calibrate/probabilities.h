// The probabilities at which a model keeps quantiles of its scores.
//
// A model file keeps answers rather than scores: at these probabilities the exact rank of as many
// scores as there were. They hold the levels that people ask for (50, 60, 70, 80, 90, 95, 98 and 99
// percent) and every tenth; between two of them the quantile is taken on the straight line.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace pulsecast::calibrate {

inline constexpr std::array<double, 21> kProbabilities = {
    0.005, 0.01, 0.025, 0.05, 0.1,  0.15, 0.2,  0.25,  0.3,  0.4,  0.5,
    0.6,   0.7,  0.75,  0.8,  0.85, 0.9,  0.95, 0.975, 0.99, 0.995};
inline constexpr std::size_t kGrid = kProbabilities.size();

// Where a probability lies among them: at `first`, and by `share` on the way to the next.
struct GridPlace {
  std::size_t first = 0;
  double share = 0.0;
};

// Throws Error(kUsage) for one that is outside of them.
GridPlace grid_place(double probability);

// The two bounds of a range that is to hold `level` percent. Throws Error(kUsage).
struct Bounds {
  double lower = 0.0;
  double upper = 0.0;
};
Bounds bounds_of(double level);

}  // namespace pulsecast::calibrate
