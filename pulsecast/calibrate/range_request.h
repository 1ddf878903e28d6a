// What ranges and quantiles are asked for, as the probabilities that they take.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pulsecast/calibrate/probabilities.h"

namespace pulsecast::calibrate {

class RangeRequest {
 public:
  // Levels in percent, quantiles as probabilities. Throws Error(kUsage) for one that cannot be.
  RangeRequest(std::span<const double> levels, std::span<const double> quantiles);

  // Ascending, each once.
  const std::vector<double>& probabilities() const { return probabilities_; }
  std::size_t size() const { return probabilities_.size(); }
  const GridPlace& place(std::size_t p) const { return places_[p]; }

  // In the order in which they were asked for; numbers are of the probabilities.
  struct Level {
    double level;
    std::size_t lower;
    std::size_t upper;
  };
  struct Quantile {
    double probability;
    std::size_t at;
  };
  const std::vector<Level>& levels() const { return levels_; }
  const std::vector<Quantile>& quantiles() const { return quantiles_; }

 private:
  std::vector<double> probabilities_;
  std::vector<GridPlace> places_;
  std::vector<Level> levels_;
  std::vector<Quantile> quantiles_;
};

}  // namespace pulsecast::calibrate
