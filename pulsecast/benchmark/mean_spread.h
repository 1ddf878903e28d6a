// A score over seeds.
#pragma once

#include <cmath>
#include <span>

namespace pulsecast::benchmark {

struct MeanSpread {
  double mean = 0.0;
  double spread = 0.0;  // sample standard deviation; 0 of one
};

inline MeanSpread mean_spread(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  MeanSpread result;
  for (const double value : values) result.mean += value / count;
  if (values.size() < 2) return result;
  double squares = 0.0;
  for (const double value : values) squares += std::pow(value - result.mean, 2);
  result.spread = std::sqrt(squares / (count - 1.0));
  return result;
}

}  // namespace pulsecast::benchmark
