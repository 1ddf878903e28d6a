#include "pulsecast/train/static_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pulsecast/base/counted.h"
#include "pulsecast/data/series/cycles.h"
#include "pulsecast/data/series/row_phases.h"

namespace pulsecast::train {
namespace {

constexpr std::size_t kFewestSeries = 8;
constexpr std::size_t kMostPhases = 168;
constexpr std::array kStrengths = {0.5, 2.0, 8.0, 32.0};  // in series
constexpr double kWorthwhile = 0.01;                      // of what shapes differ by
constexpr double kSureness = 2.0;                         // standard errors
constexpr double kWholeEnough = 0.75;                     // of a cycle's rows
constexpr double kCyclesForHalf = 4.0;
constexpr double kMostTimesUsual = 3.0;

// One a series, without what all share.
struct Shapes {
  std::size_t period = 1;
  std::vector<double> values;   // (series, period)
  std::vector<double> weights;  // (series) 0: it has no whole cycle

  std::size_t count() const { return weights.size(); }
  std::span<double> of(std::size_t s) { return std::span(values).subspan(s * period, period); }
  std::span<const double> of(std::size_t s) const {
    return std::span(values).subspan(s * period, period);
  }
};

double square_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return sum;
}

// The mean over the whole cycles of a series' rows; returns how many there are.
std::size_t add_shape(const ScaledSeries& scaled, std::span<const std::int32_t> phases,
                      std::size_t target, RowRange rows, std::span<double> shape) {
  const std::size_t W = shape.size();
  const std::span<const float> values = scaled.seen(target);
  const std::size_t first = scaled.first_row(target);
  std::vector<std::size_t> counts(W);
  std::size_t cycles = 0;
  const std::size_t end = std::min(rows.end + scaled.lead(), first + values.size());
  for (std::size_t begin = std::max(rows.begin + scaled.lead(), first); begin + W <= end;
       begin += W) {
    const std::span<const float> cycle = values.subspan(begin - first, W);
    double sum = 0.0;
    std::size_t there = 0;
    for (const float value : cycle) {
      if (std::isnan(value)) continue;
      sum += value;
      ++there;
    }
    if (static_cast<double>(there) < kWholeEnough * static_cast<double>(W)) continue;
    ++cycles;
    for (std::size_t i = 0; i < W; ++i) {
      if (std::isnan(cycle[i])) continue;
      const auto phase = static_cast<std::size_t>(phases[begin + i]);
      shape[phase] += cycle[i] - sum / static_cast<double>(there);
      ++counts[phase];
    }
  }
  for (std::size_t phase = 0; phase < W; ++phase) {
    if (counts[phase] > 0) shape[phase] /= static_cast<double>(counts[phase]);
  }
  return cycles;
}

// A series with a shape far larger than most has an outlier in it, or hardly changes from cycle to
// cycle; it must not stand for its group.
void hold_to_usual_size(Shapes& shapes) {
  std::vector<double> sizes;
  for (std::size_t s = 0; s < shapes.count(); ++s) {
    if (shapes.weights[s] > 0.0) sizes.push_back(std::sqrt(square_of(shapes.of(s))));
  }
  if (sizes.empty()) return;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  const double most = kMostTimesUsual * *middle;
  for (std::size_t s = 0; s < shapes.count(); ++s) {
    const double size = std::sqrt(square_of(shapes.of(s)));
    if (size <= most) continue;
    for (double& value : shapes.of(s)) value *= most / size;
  }
}

void take_off_what_all_share(Shapes& shapes) {
  std::vector<double> mean(shapes.period);
  double weights = 0.0;
  for (std::size_t s = 0; s < shapes.count(); ++s) {
    weights += shapes.weights[s];
    for (std::size_t phase = 0; phase < shapes.period; ++phase) {
      mean[phase] += shapes.weights[s] * shapes.of(s)[phase];
    }
  }
  if (weights == 0.0) return;
  for (std::size_t s = 0; s < shapes.count(); ++s) {
    for (std::size_t phase = 0; phase < shapes.period; ++phase) {
      shapes.of(s)[phase] -= mean[phase] / weights;
    }
  }
}

Shapes shapes_of(const PanelRows& panel, std::size_t period) {
  const std::span<const RowRange> rows = panel.rows;
  const std::vector<std::int32_t> phases =
      row_phases(panel.series, with_period(panel.calendar, period), panel.scaled.lead(),
                 panel.scaled.calendar_rows());
  Shapes shapes{period, std::vector<double>(rows.size() * period),
                std::vector<double>(rows.size())};
  for (std::size_t s = 0; s < rows.size(); ++s) {
    const auto cycles =
        static_cast<double>(add_shape(panel.scaled, phases, s, rows[s], shapes.of(s)));
    // Noise goes with the cycles, what makes a series unlike others of its group does not.
    shapes.weights[s] = cycles / (cycles + kCyclesForHalf);
  }
  hold_to_usual_size(shapes);
  take_off_what_all_share(shapes);
  return shapes;
}

using Members = std::vector<std::optional<std::size_t>>;  // (series) the group of each

Members members_of(const StaticGroups& groups, const StaticColumn& column, const PanelRows& panel) {
  Members members;
  for (std::size_t s = 0; s < panel.rows.size(); ++s) {
    members.push_back(groups.of(column.values[panel.series.channels[s].series]));
  }
  return members;
}

// Weighted sums of the shapes of each group.
struct GroupSums {
  std::size_t period;
  std::vector<double> values;   // (groups, period)
  std::vector<double> weights;  // (groups)

  GroupSums(const Shapes& shapes, const Members& members, std::size_t groups)
      : period(shapes.period), values(groups * period), weights(groups) {
    for (std::size_t s = 0; s < shapes.count(); ++s) {
      if (!members[s]) continue;
      weights[*members[s]] += shapes.weights[s];
      for (std::size_t phase = 0; phase < period; ++phase) {
        values[*members[s] * period + phase] += shapes.weights[s] * shapes.of(s)[phase];
      }
    }
  }

  std::vector<double> profiles(double strength) const {
    std::vector<double> out = values;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] /= weights[i / period] + strength;
    return out;
  }
};

struct Gain {
  double share = 0.0;     // of what shapes differ by, explained by others of the group
  double of_a_row = 0.0;  // what is explained of the mean square of a row
  double errors = 0.0;    // the gain in its own standard errors
  std::size_t series = 0;
};

Gain gain_of(const Shapes& shapes, const Members& members, const GroupSums& sums, double strength) {
  double differs = 0.0;
  double gain = 0.0;
  double squares = 0.0;
  double weights = 0.0;
  Gain out;
  for (std::size_t s = 0; s < shapes.count(); ++s) {
    const double weight = shapes.weights[s];
    if (!members[s] || weight == 0.0) continue;
    const std::span<const double> shape = shapes.of(s);
    const double others = sums.weights[*members[s]] - weight + strength;
    double left = 0.0;
    for (std::size_t phase = 0; phase < shapes.period; ++phase) {
      const double sum = sums.values[*members[s] * shapes.period + phase] - weight * shape[phase];
      const double rest = shape[phase] - sum / others;
      left += rest * rest;
    }
    const double own = weight * (square_of(shape) - left);
    differs += weight * square_of(shape);
    gain += own;
    weights += weight;
    squares += own * own;
    ++out.series;
  }
  if (differs == 0.0) return out;
  const auto count = static_cast<double>(out.series);
  const double variance = squares / count - (gain / count) * (gain / count);
  out.share = gain / differs;
  out.of_a_row = gain / (weights * static_cast<double>(shapes.period));
  out.errors = gain / std::sqrt(std::max(count * variance, 1e-300));
  return out;
}

void take_off(Shapes& shapes, const Members& members, std::span<const double> profiles) {
  for (std::size_t s = 0; s < shapes.count(); ++s) {
    if (!members[s]) continue;
    for (std::size_t phase = 0; phase < shapes.period; ++phase) {
      shapes.of(s)[phase] -= profiles[*members[s] * shapes.period + phase];
    }
  }
}

Decision decision_of(const StaticGroups& groups, const Gain& gain, std::size_t period,
                     bool is_used) {
  if (gain.series < kFewestSeries) {
    return {"static " + groups.column, "left out",
            fmt::format("{} with whole periods are too few to tell what it does",
                        counted(gain.series, "series", "series"))};
  }
  if (!is_used) {
    return {"static " + groups.column, "left out",
            "series that agree in it are no more alike in the shape of their cycles than others"};
  }
  return {"static " + groups.column, counted(groups.size(), "group"),
          fmt::format("they explain {:.0f} % of what series differ by in the shape of {}",
                      100.0 * gain.share, counted(period, "step"))};
}

// The model's own period, and those of the calendar that series may show only together.
std::vector<std::size_t> periods_for(const PanelRows& panel) {
  using Cycle = CycleStrength::Cycle;
  std::vector<std::size_t> periods = {static_cast<std::size_t>(panel.calendar.period)};
  if (panel.calendar.phase == PhaseSource::kTimestamp) {
    for (const Cycle cycle : {Cycle::kDay, Cycle::kWeek, Cycle::kYear}) {
      const std::optional<std::size_t> steps = steps_of(cycle, panel.series.step);
      if (!steps || *steps > kMostPhases) continue;
      if (cycle != Cycle::kYear || panel.series.step.is_in_months()) periods.push_back(*steps);
    }
  }
  std::ranges::sort(periods);
  periods.erase(std::unique(periods.begin(), periods.end()), periods.end());
  std::erase_if(periods, [](std::size_t period) { return period < 2; });
  return periods;
}

struct PeriodFit {
  StaticFit fit;
  double explained = 0.0;  // of the mean square of a row
};

PeriodFit fit_period(const PanelRows& panel, std::size_t period) {
  PeriodFit out;
  Shapes shapes = shapes_of(panel, period);
  std::vector<StaticGroups> columns;
  std::vector<double> values;
  for (const StaticColumn& column : panel.series.statics) {
    StaticGroups groups = StaticGroups::of(column);
    const Members members = members_of(groups, column, panel);
    const GroupSums sums(shapes, members, groups.size());
    Gain best;
    double strength = kStrengths.front();
    for (const double each : kStrengths) {
      const Gain gain = gain_of(shapes, members, sums, each);
      if (each != kStrengths.front() && gain.share <= best.share) continue;
      best = gain;
      strength = each;
    }
    const bool is_used =
        best.series >= kFewestSeries && best.share > kWorthwhile && best.errors > kSureness;
    out.fit.decisions.push_back(decision_of(groups, best, period, is_used));
    if (!is_used) continue;
    const std::vector<double> own = sums.profiles(strength);
    take_off(shapes, members, own);
    values.insert(values.end(), own.begin(), own.end());
    columns.push_back(std::move(groups));
    out.fit.strengths.push_back(strength);
    out.explained += best.of_a_row;
  }
  if (!columns.empty()) out.fit.profiles.emplace(std::move(columns), period, std::move(values));
  return out;
}

}  // namespace

StaticFit fit_statics(const PanelRows& panel) {
  PeriodFit best;
  for (const std::size_t period : periods_for(panel)) {
    PeriodFit found = fit_period(panel, period);
    if (best.fit.decisions.empty() || found.explained > best.explained) best = std::move(found);
  }
  for (std::size_t k = 0; best.fit.decisions.empty() && k < panel.series.statics.size(); ++k) {
    best.fit.decisions.push_back({"static " + panel.series.statics[k].name, "left out",
                                  "steps like these have no cycle whose shape it could tell"});
  }
  return std::move(best.fit);
}

std::optional<StaticProfiles> refit_statics(const StaticFit& found, const PanelRows& panel) {
  if (!found.profiles) return std::nullopt;
  Shapes shapes = shapes_of(panel, found.profiles->period());
  std::vector<double> values;
  for (std::size_t k = 0; k < found.strengths.size(); ++k) {
    const StaticGroups& groups = found.profiles->columns()[k];
    const std::vector<StaticColumn>& statics = panel.series.statics;
    const Members members =
        members_of(groups, *std::ranges::find(statics, groups.column, &StaticColumn::name), panel);
    const std::vector<double> own =
        GroupSums(shapes, members, groups.size()).profiles(found.strengths[k]);
    take_off(shapes, members, own);
    values.insert(values.end(), own.begin(), own.end());
  }
  return StaticProfiles(found.profiles->columns(), found.profiles->period(), std::move(values));
}

}  // namespace pulsecast::train
