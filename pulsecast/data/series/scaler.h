// Each channel to mean 0 and standard deviation 1 over the training rows, and back.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "pulsecast/data/series/series.h"
#include "pulsecast/data/series/split.h"

namespace pulsecast {

class Scaler {
 public:
  Scaler() = default;
  Scaler(std::vector<double> means, std::vector<double> scales);

  // Mean and population standard deviation over `rows`, in double; gaps are left out and a constant
  // channel has scale 1. Throws Error(kData) for a channel without a value in those rows.
  static Scaler fit(const Series& series, RowRange rows);
  // The same over several runs of rows, the oldest first.
  static Scaler fit(const Series& series, std::span<const RowRange> runs);
  // Of a panel: each target over its own rows of `parts` (one per target, or none: all its rows),
  // each known channel over all rows that are a target's. A channel without a value there is scaled
  // by all its values, and where it has none it keeps its units: it stops nobody else.
  //
  // The scale of a target is its mean absolute change over a period, so that an error counts by how
  // much the series itself differs from one cycle to the next, whatever its level and trend; at
  // most its deviation, and no less than a twentieth of it.
  static Scaler fit_each(const Series& series, std::span<const RowRange> parts, std::size_t period);

  std::size_t channels() const { return means_.size(); }
  const std::vector<double>& means() const { return means_; }
  const std::vector<double>& scales() const { return scales_; }

  double scaled(std::size_t channel, double value) const {
    return (value - means_[channel]) / scales_[channel];
  }
  // False for a gap, and for a value so far from the mean that sums of squares in float overflow.
  bool is_within_reach(std::size_t channel, double value) const {
    return std::abs(scaled(channel, value)) <= kFarthest;
  }
  double original(std::size_t channel, double value) const {
    return value * scales_[channel] + means_[channel];
  }

 private:
  static constexpr double kFarthest = 1e15;  // deviations

  std::vector<double> means_;
  std::vector<double> scales_;
};

}  // namespace pulsecast
