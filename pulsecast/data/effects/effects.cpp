#include "pulsecast/data/effects/effects.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace pulsecast {

Effects::Effects(EffectDesign design, std::size_t sets, std::vector<double> weights)
    : design_(std::move(design)), sets_(sets), weights_(std::move(weights)) {
  assert(weights_.size() == sets_ * design_.group_count() * design_.terms().size());
}

std::span<const double> Effects::weights_of(std::size_t target, std::size_t group) const {
  const std::size_t M = design_.terms().size();
  const std::size_t set = sets_ == 1 ? 0 : target;
  return std::span(weights_).subspan((set * design_.group_count() + group) * M, M);
}

double Effects::of(std::size_t target, std::size_t group, std::span<const double> terms) const {
  const std::span<const double> weights = weights_of(target, group);
  double sum = 0.0;
  for (std::size_t m = 0; m < weights.size(); ++m) sum += weights[m] * terms[m];
  return sum;
}

bool Effects::has(std::size_t target) const {
  for (std::size_t group = 0; group < design_.group_count(); ++group) {
    const auto own = weights_of(target, group);
    if (std::ranges::any_of(own, [](double weight) { return weight != 0.0; })) return true;
  }
  return false;
}

Effects::Change Effects::change(std::size_t target, std::size_t column) const {
  std::vector<double> known;
  for (const EffectDesign::Column& each : design_.columns()) known.push_back(each.mean);
  const std::size_t M = design_.terms().size();
  std::vector<double> low(M);
  std::vector<double> high(M);
  known[column] = design_.columns()[column].low;
  design_.terms_of(known, low);
  known[column] = design_.columns()[column].high;
  design_.terms_of(known, high);
  Change change{0.0, std::numeric_limits<double>::infinity(),
                -std::numeric_limits<double>::infinity()};
  for (std::size_t group = 0; group < design_.group_count(); ++group) {
    const double own = of(target, group, high) - of(target, group, low);
    change.mean += own / static_cast<double>(design_.group_count());
    change.least = std::min(change.least, own);
    change.largest = std::max(change.largest, own);
  }
  return change;
}

}  // namespace pulsecast
