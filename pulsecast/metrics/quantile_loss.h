// How good forecasts of quantiles are.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pulsecast {

// The pinball loss of a forecast of the quantile at `probability`: least, on average, for the true
// one.
double pinball_loss(double probability, double forecast, double truth);

// The losses of several quantiles over any number of values.
class QuantileSums {
 public:
  // probabilities (Q), each in (0, 1).
  explicit QuantileSums(std::vector<double> probabilities);

  // One value more: its forecast quantiles (Q).
  void add(std::span<const double> quantiles, double truth);

  std::size_t values() const { return values_; }
  const std::vector<double>& probabilities() const { return probabilities_; }
  // Mean pinball loss of one quantile; NaN without values.
  double loss(std::size_t quantile) const;
  // Twice the sum of losses of all quantiles over the sum of |truth|, per quantile: what GluonTS
  // and others call the mean weighted quantile loss. NaN where all that came was 0.
  double weighted_loss() const;
  // The continuous ranked probability score is the integral over all probabilities of twice the
  // pinball loss; here each that there is stands for the stretch halfway to its neighbours, the
  // outermost ones for all that lies beyond them. Probabilities must ascend.
  double crps() const;

 private:
  std::vector<double> probabilities_;
  std::vector<double> losses_;  // (Q)
  double magnitude_ = 0.0;
  std::size_t values_ = 0;
};

}  // namespace pulsecast
