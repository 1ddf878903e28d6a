#include "pulsecast/data/series/autocorrelation.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "pulsecast/base/arena.h"
#include "pulsecast/kernels/spectrum/fft.h"

namespace pulsecast {
namespace {

// Below this share of the rows, the pairs of a lag say too little.
constexpr double kFewestPairs = 0.05;

// A channel without trend and scaled to mean square 1, 0 in gaps; `present` is 1 outside of gaps.
struct Prepared {
  bool usable = false;
  std::size_t count = 0;  // rows outside of gaps
};

Prepared prepare(std::span<const double> values, float* detrended, float* present) {
  // Sums are of distances from a value of the channel: a level of 1e9 would drown a cycle of 0.03.
  const auto first = std::ranges::find_if(values, [](double value) { return !std::isnan(value); });
  if (first == values.end()) return {};
  const double level = *first;
  double count = 0.0;
  double sum_t = 0.0;
  double sum_x = 0.0;
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (std::isnan(values[t])) continue;
    count += 1.0;
    sum_t += static_cast<double>(t);
    sum_x += values[t] - level;
  }
  if (count < 2.0) return {};
  const double mean_t = sum_t / count;
  const double mean_x = level + sum_x / count;
  double covariance = 0.0;
  double variance_t = 0.0;
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (std::isnan(values[t])) continue;
    const double from_mean = static_cast<double>(t) - mean_t;
    covariance += from_mean * (values[t] - mean_x);
    variance_t += from_mean * from_mean;
  }
  const double slope = covariance / variance_t;
  double before = 0.0;
  double squares = 0.0;
  const auto residual = [&](std::size_t t) {
    return values[t] - mean_x - slope * (static_cast<double>(t) - mean_t);
  };
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (std::isnan(values[t])) continue;
    before += (values[t] - mean_x) * (values[t] - mean_x);
    squares += residual(t) * residual(t);
  }
  // A straight line leaves nothing but rounding behind, and so does a constant: that of its level.
  constexpr double kRoundingOfLine = 1e-18;
  constexpr double kRoundingOfLevel = 1e-26;
  const double rounding =
      std::max(kRoundingOfLine * before, kRoundingOfLevel * mean_x * mean_x * count);
  if (!std::isfinite(squares) || squares <= rounding) {
    return {};
  }
  const double scale = 1.0 / std::sqrt(squares / count);
  for (std::size_t t = 0; t < values.size(); ++t) {
    const bool is_gap = std::isnan(values[t]);
    detrended[t] = is_gap ? 0.0f : static_cast<float>(residual(t) * scale);
    present[t] = is_gap ? 0.0f : 1.0f;
  }
  return {true, static_cast<std::size_t>(count)};
}

// Transforms and their products for one padded length.
class Correlator {
 public:
  explicit Correlator(std::size_t length)
      : fft_(length),
        spectrum_(2 * fft_.bins()),
        scratch_(arena_.allocate<float>(fft_.scratch_floats())) {}

  // Adds |transform of signal|^2 to `power` (bins); signal has the padded length.
  void add_power(const std::vector<float>& signal, std::vector<double>& power) {
    fft_.forward(signal.data(), 1, spectrum_.data(), scratch_.data());
    for (std::size_t k = 0; k < fft_.bins(); ++k) {
      const double re = spectrum_[2 * k];
      const double im = spectrum_[2 * k + 1];
      power[k] += re * re + im * im;
    }
  }

  // The correlation at every lag whose power this is; `out` has the padded length.
  void invert(const std::vector<double>& power, std::vector<float>& out) {
    for (std::size_t k = 0; k < fft_.bins(); ++k) {
      spectrum_[2 * k] = static_cast<float>(power[k]);
      spectrum_[2 * k + 1] = 0.0f;
    }
    fft_.inverse(spectrum_.data(), 1, out.data(), scratch_.data());
  }

  std::size_t bins() const { return fft_.bins(); }

 private:
  kernels::RealFft fft_;
  std::vector<float> spectrum_;
  Arena arena_;
  std::span<float> scratch_;
};

}  // namespace

std::vector<double> mean_autocorrelation(std::span<const std::span<const double>> channels,
                                         std::size_t lags) {
  if (channels.empty() || channels.front().empty()) return {};
  const std::size_t n = channels.front().size();
  assert(lags <= n);
  const std::size_t length = std::bit_ceil(n + lags);  // room for every lag without wrapping
  Correlator correlator(length);
  std::vector<float> signal(length, 0.0f);
  std::vector<float> present(length, 0.0f);
  std::vector<float> products(length);
  std::vector<float> pairs(length);
  std::vector<double> whole_power(correlator.bins(), 0.0);  // of channels without gaps
  std::vector<double> power(correlator.bins());
  std::vector<double> sum(lags, 0.0);
  std::size_t whole = 0;
  std::size_t used = 0;

  for (const std::span<const double> channel : channels) {
    assert(channel.size() == n);
    const Prepared prepared = prepare(channel, signal.data(), present.data());
    if (!prepared.usable) continue;
    ++used;
    if (prepared.count == n) {
      ++whole;
      correlator.add_power(signal, whole_power);
      continue;
    }
    std::ranges::fill(power, 0.0);
    correlator.add_power(signal, power);
    correlator.invert(power, products);
    std::ranges::fill(power, 0.0);
    correlator.add_power(present, power);
    correlator.invert(power, pairs);
    const double fewest = kFewestPairs * static_cast<double>(prepared.count);
    for (std::size_t k = 0; k < lags; ++k) {
      sum[k] += products[k] / std::max<double>(pairs[k], fewest);
    }
  }
  if (used == 0) return {};
  if (whole > 0) {
    correlator.invert(whole_power, products);
    const double fewest = kFewestPairs * static_cast<double>(n);
    for (std::size_t k = 0; k < lags; ++k) {
      sum[k] += products[k] / std::max(static_cast<double>(n - k), fewest);
    }
  }
  for (double& value : sum) value /= static_cast<double>(used);
  return sum;
}

}  // namespace pulsecast
