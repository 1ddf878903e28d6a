#include "apps/cli/terminal/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pulsecast::cli {
namespace {

// Values that differ by less than this of their size differ by rounding.
constexpr double kRounding = 1e-12;
// Shorter ranges cannot be divided without underflow.
constexpr double kTiny = 1e-300;

// `power` is the power of ten that ticks are apart by.
std::string tick_text(double value, double power) {
  // A tick at 0 that was computed is -1e-17, or -0.
  if (std::abs(value) < power / 2.0) value = 0.0;
  const auto last_digit = static_cast<int>(std::floor(std::log10(power) + 0.5));
  if (std::abs(value) < 1e9 && last_digit >= -6) {
    return fmt::format("{:.{}f}", value, std::max(0, -last_digit));
  }
  if (value == 0.0) return "0";
  const auto first_digit = static_cast<int>(std::floor(std::log10(std::abs(value))));
  return fmt::format("{:.{}g}", value, std::clamp(first_digit - last_digit + 1, 1, 17));
}

}  // namespace

double Range::share(double value) const {
  return (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
}

Range range_of(double low, double high) {
  const double size = std::max(std::abs(low), std::abs(high));
  if (high / 2.0 - low / 2.0 > std::max(kRounding * size, kTiny)) return {low, high};
  const double margin = size > 0.0 ? std::max(size * 0.1, 10.0 * kTiny) : 1.0;
  const double middle = low / 2.0 + high / 2.0;
  constexpr double kLargest = std::numeric_limits<double>::max();
  return {std::max(middle - margin, -kLargest), std::min(middle + margin, kLargest)};
}

std::vector<Tick> round_ticks(const Range& range, std::size_t most) {
  if (most < 2) return {};
  const double length = std::log10(range.high / 2.0 - range.low / 2.0) + std::log10(2.0);
  const double digit = std::pow(10.0, std::floor(length) - 1.0);
  double power = std::pow(10.0, std::floor(length - std::log10(static_cast<double>(most))));
  // Wider and wider apart, until few enough fit. Two powers of ten hold every candidate.
  for (int round = 0; round < 2; ++round, power *= 10.0) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double distance = factor * power;
      const double first = std::ceil(range.low / distance);
      const double last = std::floor(range.high / distance);
      if (!(last - first >= 1.0 && last - first < static_cast<double>(most))) continue;
      std::vector<Tick> ticks;
      for (int i = 0; i <= static_cast<int>(last - first); ++i) {
        const double value = (first + i) * distance;
        ticks.push_back({value, tick_text(value, power)});
      }
      return ticks;
    }
  }
  return {{range.low, tick_text(range.low, digit)}, {range.high, tick_text(range.high, digit)}};
}

}  // namespace pulsecast::cli
