#include "pulsecast/calibrate/probabilities.h"

#include <algorithm>

#include "pulsecast/base/throw_error.h"

namespace pulsecast::calibrate {
namespace {

constexpr double kSame = 1e-9;  // apart by less, two probabilities are one

}  // namespace

GridPlace grid_place(double probability) {
  if (!(probability >= kProbabilities.front() - kSame &&
        probability <= kProbabilities.back() + kSame)) {
    throw_error(ErrorKind::kUsage, "ranges",
                "a quantile lies between {} and {}, and {} is asked for", kProbabilities.front(),
                kProbabilities.back(), probability);
  }
  const auto above = std::ranges::lower_bound(kProbabilities, probability - kSame);
  const auto at = static_cast<std::size_t>(above - kProbabilities.begin());
  if (*above <= probability + kSame) return {at, 0.0};
  const double below = kProbabilities[at - 1];
  return {at - 1, (probability - below) / (*above - below)};
}

Bounds bounds_of(double level) {
  const double widest = 100.0 * (kProbabilities.back() - kProbabilities.front());
  if (!(level > 0.0 && level <= widest + 100.0 * kSame)) {
    throw_error(ErrorKind::kUsage, "ranges",
                "a level is a percentage above 0 and at most {:g}, and {:g} is asked for", widest,
                level);
  }
  return {0.5 - level / 200.0, 0.5 + level / 200.0};
}

}  // namespace pulsecast::calibrate
