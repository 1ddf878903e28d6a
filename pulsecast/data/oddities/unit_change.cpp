#include <algorithm>
#include <array>
#include <cmath>

#include "pulsecast/data/oddities/odd_values.h"

namespace pulsecast {
namespace {

// Ratios of units that people mix up: decimal prefixes, bytes, minutes and hours, hours and days.
constexpr std::array kFactors = {10.0, 100.0, 1000.0, 1e6, 1024.0, 60.0, 3600.0, 24.0};
constexpr double kNear = 0.08;
constexpr std::size_t kFewest = 24;  // values in either unit

double quantile(std::vector<double>& values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + at);
  return values[static_cast<std::size_t>(at)];
}

// The middle of the widest gap between two neighbours by size, away from the ends; nothing where
// it is narrower than half as much again.
std::optional<double> widest_gap(std::vector<double> logs) {
  std::ranges::sort(logs);
  constexpr double kNarrowest = 0.176;  // log10 of 1.5
  double widest = kNarrowest;
  std::optional<double> middle;
  for (std::size_t i = kFewest; i + kFewest <= logs.size(); ++i) {
    const double gap = logs[i] - logs[i - 1];
    if (gap <= widest) continue;
    widest = gap;
    middle = (logs[i] + logs[i - 1]) / 2;
  }
  return middle;
}

}  // namespace

std::optional<UnitChange> find_unit_change(std::span<const double> values) {
  std::vector<double> logs;
  std::size_t rest = 0;
  for (const double value : values) {
    if (value > 0) logs.push_back(std::log10(value));
    rest += value <= 0 ? 1 : 0;
  }
  // Where much is zero or negative a ratio says nothing.
  if (logs.size() < 2 * kFewest || 10 * rest > logs.size()) return std::nullopt;
  const std::optional<double> border = widest_gap(logs);
  if (!border) return std::nullopt;

  std::vector<double> lower, upper;
  std::vector<std::size_t> switches;  // rows at which values change sides
  bool is_first = true;
  bool was_upper = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] > 0)) continue;
    const double log = std::log10(values[i]);
    const bool is_upper = log > *border;
    (is_upper ? upper : lower).push_back(log);
    if (!is_first && is_upper != was_upper) switches.push_back(i);
    was_upper = is_upper;
    is_first = false;
    if (switches.size() > 2) return std::nullopt;
  }
  const double ratio = quantile(upper, 0.5) - quantile(lower, 0.5);
  const auto near = std::ranges::find_if(kFactors, [&](double factor) {
    return std::abs(ratio - std::log10(factor)) < std::log10(1 + kNear);
  });
  if (near == kFactors.end()) return std::nullopt;
  const double own = quantile(upper, 0.75) - quantile(upper, 0.25);
  const double other = quantile(lower, 0.75) - quantile(lower, 0.25);
  if (own > 2 * other || other > 2 * own) return std::nullopt;
  // After one switch the newer rows are the odd ones; between two, those in the middle.
  const std::size_t begin = switches.front();
  const std::size_t end = switches.size() == 2 ? switches.back() : values.size();
  const bool is_greater = values[begin] > std::pow(10.0, *border);
  return UnitChange{begin, end, is_greater ? *near : 1 / *near};
}

}  // namespace pulsecast
