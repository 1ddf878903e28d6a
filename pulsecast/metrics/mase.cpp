#include "pulsecast/metrics/mase.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace pulsecast {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Every channel's own, which the two definitions share; `overall` is left to the caller.
Mase divide(std::span<const double> absolute_errors, std::span<const double> lag_differences) {
  assert(absolute_errors.size() == lag_differences.size());
  Mase mase;
  mase.overall = kNone;
  for (std::size_t c = 0; c < absolute_errors.size(); ++c) {
    const bool has_one = lag_differences[c] > 0.0;
    mase.per_channel.push_back(has_one ? absolute_errors[c] / lag_differences[c] : kNone);
    mase.channels += has_one ? 1 : 0;
  }
  return mase;
}

// The mean of a loss of x_t - x_(t-m) over the pairs that are there.
template <typename Loss>
double mean_of_differences(std::span<const float> values, std::size_t m, Loss loss) {
  assert(m >= 1);
  double sum = 0.0;
  std::size_t pairs = 0;
  for (std::size_t t = m; t < values.size(); ++t) {
    const double difference = static_cast<double>(values[t]) - static_cast<double>(values[t - m]);
    if (std::isnan(difference)) continue;
    sum += loss(difference);
    ++pairs;
  }
  return pairs == 0 ? kNone : sum / static_cast<double>(pairs);
}

}  // namespace

double mean_lag_difference(std::span<const float> values, std::size_t m) {
  return mean_of_differences(values, m, [](double difference) { return std::abs(difference); });
}

double root_mean_square_lag_difference(std::span<const float> values, std::size_t m) {
  return std::sqrt(
      mean_of_differences(values, m, [](double difference) { return difference * difference; }));
}

Mase paper_mase(std::span<const double> absolute_errors, std::span<const double> lag_differences) {
  Mase mase = divide(absolute_errors, lag_differences);
  double errors = 0.0;
  double differences = 0.0;
  for (std::size_t c = 0; c < absolute_errors.size(); ++c) {
    if (std::isnan(lag_differences[c])) continue;
    errors += absolute_errors[c];
    differences += lag_differences[c];
  }
  if (differences > 0.0) mase.overall = errors / differences;
  return mase;
}

Mase usual_mase(std::span<const double> absolute_errors, std::span<const double> lag_differences) {
  Mase mase = divide(absolute_errors, lag_differences);
  if (mase.channels == 0) return mase;
  double sum = 0.0;
  for (std::size_t c = 0; c < absolute_errors.size(); ++c) {
    if (lag_differences[c] > 0.0) sum += mase.per_channel[c];
  }
  mase.overall = sum / static_cast<double>(mase.channels);
  return mase;
}

}  // namespace pulsecast
