#include "pulsecast/metrics/quantile_loss.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace pulsecast {

double pinball_loss(double probability, double forecast, double truth) {
  const double error = truth - forecast;
  return error >= 0.0 ? probability * error : (probability - 1.0) * error;
}

QuantileSums::QuantileSums(std::vector<double> probabilities)
    : probabilities_(std::move(probabilities)), losses_(probabilities_.size()) {
  assert(!probabilities_.empty());
}

void QuantileSums::add(std::span<const double> quantiles, double truth) {
  assert(quantiles.size() == probabilities_.size());
  for (std::size_t q = 0; q < quantiles.size(); ++q) {
    losses_[q] += pinball_loss(probabilities_[q], quantiles[q], truth);
  }
  magnitude_ += std::abs(truth);
  ++values_;
}

double QuantileSums::loss(std::size_t quantile) const {
  if (values_ == 0) return std::numeric_limits<double>::quiet_NaN();
  return losses_[quantile] / static_cast<double>(values_);
}

double QuantileSums::weighted_loss() const {
  if (!(magnitude_ > 0.0)) return std::numeric_limits<double>::quiet_NaN();
  const double sum = std::accumulate(losses_.begin(), losses_.end(), 0.0);
  return 2.0 * sum / magnitude_ / static_cast<double>(losses_.size());
}

double QuantileSums::crps() const {
  // A probability stands for the stretch halfway to its neighbours, or to the end.
  double integral = 0.0;
  const std::size_t Q = probabilities_.size();
  for (std::size_t q = 0; q < Q; ++q) {
    const double begin = q == 0 ? 0.0 : 0.5 * (probabilities_[q - 1] + probabilities_[q]);
    const double end = q + 1 == Q ? 1.0 : 0.5 * (probabilities_[q] + probabilities_[q + 1]);
    integral += (end - begin) * 2.0 * loss(q);
  }
  return integral;
}

}  // namespace pulsecast
