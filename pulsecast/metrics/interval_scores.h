// Whether ranges held what came, and how wide they had to be for it.
//
// Sums are kept for every channel and step, in double, and no sum is shared between channels, as in
// scores.h: channels may be scored on as many threads as there are.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pulsecast/metrics/interval_table.h"

namespace pulsecast {

// The interval score of one value, at a level in percent.
double interval_score(double lower, double upper, double truth, double level);

// The ranges of one channel at one level.
class IntervalSums {
 public:
  IntervalSums(std::size_t horizon, double level);

  // One window more: lower, upper, truth (H).
  void add(std::span<const double> lower, std::span<const double> upper,
           std::span<const double> truth);
  void add_step(std::size_t step, double lower, double upper, double truth);

  double level() const { return level_; }
  std::size_t horizon() const { return steps_.size(); }
  // Means over the values of one step, and over all; NaN without any.
  IntervalErrors step(std::size_t step) const;
  IntervalErrors overall() const;

  // What tables add up.
  struct Sums {
    std::size_t values = 0;
    std::size_t below = 0;
    std::size_t above = 0;
    double width = 0.0;
    double score = 0.0;

    Sums& operator+=(const Sums& other);
    // Width and score in units of which one is `scale` large.
    IntervalErrors means(double scale = 1.0) const;
  };
  const Sums& sums(std::size_t step) const { return steps_[step]; }

 private:
  double level_;
  std::vector<Sums> steps_;
};

// channels: of one level and horizon each. scales (C): how large 1 is in each, or empty for 1.
IntervalTable interval_table(std::span<const IntervalSums> channels,
                             std::span<const double> scales = {});

// The mean scaled interval score of the M4 competition: an interval score over the mean change of
// the training rows over a season (mean_lag_difference). NaN where that is 0.
double msis(double interval_score, double lag_difference);

}  // namespace pulsecast
