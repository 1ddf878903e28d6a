#include "pulsecast/data/series/cycles.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "pulsecast/calendar/civil.h"
#include "pulsecast/calendar/phase.h"

namespace pulsecast {
namespace {

using Cycle = CycleStrength::Cycle;

constexpr std::size_t kMostCycleRows = std::size_t{1} << 17;
constexpr std::size_t kFewestCycles = 3;
constexpr std::size_t kMonths = 12;
constexpr double kWorthIt = 0.05;      // a share that is worth a feature
constexpr double kBeyondChance = 3.0;  // standard errors

// The rows of a cycle as the calendar cuts them.
struct CycleRows {
  Cycle cycle;
  std::size_t steps;
  std::vector<std::uint32_t> phases;  // of each row
  std::size_t phase_count;
};

CycleRows rows_of(Cycle cycle, std::size_t steps, const Series& series, RowRange rows) {
  CycleRows result{cycle, steps, {}, cycle == Cycle::kYear ? std::min(steps, kMonths) : steps};
  result.phases.reserve(rows.size());
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const WallTime wall = series.zone.to_wall(series.stamps[row]);
    const auto phase = cycle == Cycle::kYear
                           ? static_cast<std::size_t>(wall.month - 1) * result.phase_count / kMonths
                           : static_cast<std::size_t>(
                                 phase_of(wall, series.step, static_cast<std::int32_t>(steps)));
    result.phases.push_back(static_cast<std::uint32_t>(phase));
  }
  return result;
}

// Without the straight line through its values.
std::vector<double> without_trend(std::span<const double> values) {
  double count = 0.0, mean_t = 0.0, mean_x = 0.0;
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (std::isnan(values[t])) continue;
    count += 1.0;
    mean_t += (static_cast<double>(t) - mean_t) / count;
    mean_x += (values[t] - mean_x) / count;
  }
  double covariance = 0.0, variance = 0.0;
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (std::isnan(values[t])) continue;
    const double from_mean = static_cast<double>(t) - mean_t;
    covariance += from_mean * (values[t] - mean_x);
    variance += from_mean * from_mean;
  }
  const double slope = variance > 0.0 ? covariance / variance : 0.0;
  std::vector<double> rest(values.begin(), values.end());
  for (std::size_t t = 0; t < rest.size(); ++t) {
    rest[t] -= mean_x + slope * (static_cast<double>(t) - mean_t);
  }
  return rest;
}

double sum_of_squares(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += std::isnan(value) ? 0.0 : value * value;
  return sum;
}

// Takes the mean of the rows of each group out of them.
void take_means_out(std::vector<double>& values, std::size_t groups, const auto& group_of) {
  std::vector<double> sums(groups, 0.0);
  std::vector<double> counts(groups, 0.0);
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (std::isnan(values[t])) continue;
    sums[group_of(t)] += values[t];
    counts[group_of(t)] += 1.0;
  }
  for (std::size_t t = 0; t < values.size(); ++t) {
    const std::size_t group = group_of(t);
    if (counts[group] > 0.0) values[t] -= sums[group] / counts[group];
  }
}

// The correlation of neighbours.
double persistence(std::span<const double> values) {
  double products = 0.0, squares = 0.0;
  for (std::size_t t = 1; t < values.size(); ++t) {
    if (std::isnan(values[t]) || std::isnan(values[t - 1])) continue;
    products += values[t] * values[t - 1];
    squares += values[t - 1] * values[t - 1];
  }
  return squares > 0.0 ? std::clamp(products / squares, 0.0, 0.999) : 0.0;
}

struct Share {
  double share;
  double error;
};

// Of one channel without its trend; nothing where it has nothing left to explain.
std::optional<Share> share_of(const CycleRows& own, std::span<const CycleRows> faster,
                              std::vector<double> values, double scale) {
  take_means_out(values, (values.size() + own.steps - 1) / own.steps,
                 [&](std::size_t t) { return t / own.steps; });
  for (const CycleRows& cycle : faster) {
    take_means_out(values, cycle.phase_count, [&](std::size_t t) { return cycle.phases[t]; });
  }
  const double left = sum_of_squares(values);
  constexpr double kRounding = 1e-26;  // of the level, squared
  if (!std::isfinite(left) || left <= kRounding * scale) return std::nullopt;
  take_means_out(values, own.phase_count, [&](std::size_t t) { return own.phases[t]; });
  const double explained = 1.0 - sum_of_squares(values) / left;

  const double rho = persistence(values);
  const auto rows = static_cast<double>(values.size());
  const auto steps = static_cast<double>(own.steps);
  const auto phases = static_cast<double>(own.phase_count);
  const double independent = (1.0 - rho) / (1.0 + rho);  // of a row
  const double chance = std::min({0.99, steps / rows, phases / (rows * independent)});
  const double draws = std::max(1.0, std::min(phases, steps * independent));
  return Share{(explained - chance) / (1.0 - chance), chance * std::sqrt(2.0 / draws)};
}

}  // namespace

bool CycleStrength::is_strong() const { return share >= std::max(kWorthIt, kBeyondChance * error); }

std::string_view name(Cycle cycle) {
  switch (cycle) {
    case Cycle::kDay:
      return "day";
    case Cycle::kWeek:
      return "week";
    case Cycle::kYear:
      return "year";
  }
  return "";
}

std::optional<std::size_t> steps_of(Cycle cycle, const Step& step) {
  constexpr double kDay = static_cast<double>(kDayMilliseconds);
  const std::array lengths = {kDay, 7.0 * kDay, 365.2425 * kDay};
  const double exact = lengths[static_cast<std::size_t>(cycle)] / step.mean_milliseconds();
  const double whole = std::round(exact);
  if (whole < 2.0) return std::nullopt;
  if (cycle != Cycle::kYear && std::abs(exact - whole) > 1e-9 * whole) return std::nullopt;
  return static_cast<std::size_t>(whole);
}

std::vector<CycleStrength> measure_cycles(const Series& series, RowRange rows) {
  if (rows.size() > kMostCycleRows) rows.begin = rows.end - kMostCycleRows;
  std::vector<CycleRows> cycles;
  for (const Cycle cycle : {Cycle::kDay, Cycle::kWeek, Cycle::kYear}) {
    const std::optional<std::size_t> steps = steps_of(cycle, series.step);
    if (!steps || *steps * kFewestCycles > rows.size()) continue;
    cycles.push_back(rows_of(cycle, *steps, series, rows));
  }
  std::vector<CycleStrength> strengths;
  for (const CycleRows& cycle : cycles) strengths.push_back({cycle.cycle, cycle.steps, 0.0, 0.0});
  std::vector<double> counted(cycles.size(), 0.0);
  std::vector<double> values(rows.size());
  for (const Channel* channel : some_targets(series)) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = channel->at(rows.begin + i);
    const std::vector<double> rest = without_trend(values);
    const double scale = sum_of_squares(values);
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      const auto share = share_of(cycles[i], std::span(cycles).first(i), rest, scale);
      if (!share) continue;
      strengths[i].share += share->share;
      strengths[i].error += share->error;
      counted[i] += 1.0;
    }
  }
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    if (counted[i] == 0.0) continue;
    strengths[i].share /= counted[i];
    strengths[i].error /= counted[i];
  }
  return strengths;
}

}  // namespace pulsecast
