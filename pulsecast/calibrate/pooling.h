// Scores that join others' where a set has too few of its own.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pulsecast::calibrate {

// The scores of one set: (H, n), each step ascending.
struct SortedScores {
  std::size_t count = 0;
  std::vector<float> values;
  std::vector<double> means;  // (H) of absolute scores
  // How heavy the tails are: the mean square of the scores over the square of their mean size.
  double tails = 0.0;

  std::span<const float> step(std::size_t h) const {
    return std::span(values).subspan(h * count, count);
  }
};

// scores (H, n) in any order.
SortedScores sorted_scores(std::vector<float> scores, std::size_t horizon);

// The scores of step h of `own` and of the sets whose tails are most like its own, until there are
// `enough` or no set is left; each in units of its mean score, times that of `own`. Ascending.
std::vector<float> pooled_scores(std::span<const SortedScores> sets, std::size_t own, std::size_t h,
                                 std::size_t enough);

}  // namespace pulsecast::calibrate
