#include "pulsecast/metrics/diebold_mariano.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "pulsecast/metrics/student_t.h"

namespace pulsecast {
namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double bartlett_variance(std::span<const double> values, std::size_t lags) {
  assert(!values.empty());
  const std::size_t n = values.size();
  const double middle = mean(values);
  std::vector<double> centred(n);
  std::ranges::transform(values, centred.begin(), [&](double value) { return value - middle; });
  double variance = 0.0;
  for (std::size_t lag = 0; lag <= std::min(lags, n - 1); ++lag) {
    const double sum = std::transform_reduce(centred.begin() + static_cast<std::ptrdiff_t>(lag),
                                             centred.end(), centred.begin(), 0.0);
    const double weight = 1.0 - static_cast<double>(lag) / static_cast<double>(lags + 1);
    variance += (lag == 0 ? 1.0 : 2.0 * weight) * sum / static_cast<double>(n);
  }
  return std::max(variance, 0.0);  // it may round to below
}

std::optional<DieboldMariano> diebold_mariano(std::span<const double> first,
                                              std::span<const double> second, std::size_t horizon) {
  assert(first.size() == second.size() && horizon > 0);
  const std::size_t windows = first.size();
  if (windows <= horizon) return std::nullopt;
  std::vector<double> differences(windows);
  std::ranges::transform(first, second, differences.begin(), std::minus<>());
  if (!std::ranges::all_of(differences, [](double value) { return std::isfinite(value); })) {
    return std::nullopt;
  }
  const auto n = static_cast<double>(windows);
  const auto h = static_cast<double>(horizon);
  DieboldMariano test{.mean_difference = mean(differences), .windows = windows};
  const double deviation = std::sqrt(bartlett_variance(differences, horizon - 1) / n);
  const double correction = std::sqrt((n + 1.0 - 2.0 * h + h * (h - 1.0) / n) / n);
  if (test.mean_difference != 0.0) {
    // The same difference in every window is as sure as can be.
    test.statistic = deviation == 0.0 ? std::copysign(std::numeric_limits<double>::infinity(),
                                                      test.mean_difference)
                                      : correction * test.mean_difference / deviation;
  }
  test.p_value = two_sided_p_value(test.statistic, n - 1.0);
  return test;
}

}  // namespace pulsecast
