#include "pulsecast/train/effect_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pulsecast/base/counted.h"
#include "pulsecast/data/effects/effect_rows.h"
#include "pulsecast/data/series/cycles.h"

namespace pulsecast::train {
namespace {

constexpr std::size_t kMostCycles = 4;
constexpr std::array kMainStrengths = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
constexpr std::array kGroupStrengths = {1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5};
constexpr double kWorthIt = 0.01;    // of the error without effects
constexpr double kDeviations = 2.0;  // beyond chance

// The rows that a row is compared with: `count` of them, each `steps` before the next.
struct Lags {
  std::size_t steps = 1;
  std::size_t count = 1;
  std::string text;
};

std::size_t median_size(std::span<const RowRange> rows) {
  std::vector<std::size_t> sizes;
  for (const RowRange own : rows) sizes.push_back(own.size());
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  return *middle;
}

Lags lags_for(const Series& series, const EffectRowsToFit& rows) {
  using Cycle = CycleStrength::Cycle;
  const std::size_t there = median_size(rows.training);
  const auto fits = [&](std::size_t steps) { return 3 * steps <= there; };
  const auto cycles_of = [&](std::size_t steps) {
    return std::clamp<std::size_t>(there / (2 * steps) - 1, 1, kMostCycles);
  };
  const auto before = [](std::size_t count, const char* one) {
    return fmt::format("the {} before", count == 1 ? one : counted(count, one));
  };
  if (const auto week = steps_of(Cycle::kWeek, series.step); week && fits(*week)) {
    return {*week, cycles_of(*week), before(cycles_of(*week), "week")};
  }
  if (rows.period > 1 && fits(rows.period)) {
    return {rows.period, cycles_of(rows.period), before(cycles_of(rows.period), "period")};
  }
  return {1, 1, "the step before"};
}

// Sums over `part` of a target, whose rows from `first` on may be looked back at.
EffectMoments moments_of(const Channel& target, std::size_t c, const Scaler& scaler,
                         const EffectDesign& design, const EffectRows& rows, std::size_t first,
                         RowRange part, const Lags& lags) {
  const std::size_t M = design.terms().size();
  EffectMoments moments(design.group_count(), M);
  std::vector<double> x(M);
  std::vector<double> before(M);
  for (std::size_t row = part.begin; row < part.end; ++row) {
    const double value = scaler.scaled(c, target.at(row));
    if (std::isnan(value) || std::isnan(rows.terms(row).front())) continue;
    std::ranges::fill(before, 0.0);
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t lag = 1; lag <= lags.count && row >= first + lag * lags.steps; ++lag) {
      const std::size_t earlier = row - lag * lags.steps;
      const double own = scaler.scaled(c, target.at(earlier));
      const std::span<const double> terms = rows.terms(earlier);
      if (std::isnan(own) || std::isnan(terms.front())) continue;
      sum += own;
      count += 1.0;
      for (std::size_t m = 0; m < M; ++m) before[m] += terms[m];
    }
    if (count == 0.0) continue;
    for (std::size_t m = 0; m < M; ++m) x[m] = rows.terms(row)[m] - before[m] / count;
    moments.add(rows.group(row), x, value - sum / count);
  }
  return moments;
}

struct PartMoments {
  EffectMoments training;
  EffectMoments validation;
};

// One for each set of weights.
std::vector<PartMoments> moments_of(const Series& series, const Scaler& scaler,
                                    const EffectRowsToFit& rows, const EffectDesign& design,
                                    const Lags& lags, ThreadPool& pool) {
  const KnownColumns known(series);
  const std::size_t targets = rows.training.size();
  const PartMoments none{EffectMoments(design.group_count(), design.terms().size()),
                         EffectMoments(design.group_count(), design.terms().size())};
  const auto measure = [&](std::size_t c, EffectRows& effect_rows, PartMoments& out) {
    const Channel& target = series.channels[c];
    const RowRange training = rows.training[c];
    const RowRange validation = rows.validation.empty() ? RowRange{} : rows.validation[c];
    const RowRange all{training.begin, std::max(training.end, validation.end)};
    if (all.size() == 0) return;
    effect_rows.read(series, known.of(target), all);
    const auto add = [&](EffectMoments& sums, std::span<const RowRange> runs) {
      for (const RowRange run : runs) {
        sums.add(moments_of(target, c, scaler, design, effect_rows, all.begin, run, lags));
      }
    };
    add(out.training, rows.training_runs.empty() ? std::span(&training, 1) : rows.training_runs);
    add(out.validation,
        rows.validation_runs.empty() ? std::span(&validation, 1) : rows.validation_runs);
  };
  if (rows.is_shared) {
    std::vector<PartMoments> shared(1, none);
    EffectRows effect_rows(design);
    for (std::size_t c = 0; c < targets; ++c) measure(c, effect_rows, shared.front());
    return shared;
  }
  std::vector<PartMoments> each(targets, none);
  std::vector<EffectRows> of_worker(pool.size(), EffectRows(design));
  pool.run(targets,
           [&](std::size_t c, std::size_t worker) { measure(c, of_worker[worker], each[c]); });
  return each;
}

struct Found {
  std::optional<EffectStrength> strength;
  std::vector<double> weights;
  double error = 0.0;
};

// What has nothing to do with y still goes with it by chance: over n rows the mean of 2 x w y has a
// deviation of twice the root of (mean square of y) (mean square of x w) / n.
bool is_beyond_chance(const Found& found, const EffectMoments& validation) {
  const double without = validation.mean_square();
  const double chance =
      2.0 * std::sqrt(without * validation.explained(found.weights) / validation.rows());
  return without - found.error > std::max(kWorthIt * without, kDeviations * chance);
}

Found best_of(const PartMoments& moments, std::size_t groups) {
  Found best{std::nullopt, {}, moments.validation.mean_square()};
  const auto try_one = [&](const EffectStrength& strength) {
    auto weights = moments.training.solve(strength);
    if (!weights) return;
    const double error = moments.validation.error(*weights);
    if (!(error < best.error)) return;
    best = {strength, std::move(*weights), error};
  };
  for (const double main : kMainStrengths) {
    try_one({main, std::nullopt});
    if (groups == 1) continue;
    for (const double group : kGroupStrengths) try_one({main, group});
  }
  if (best.strength && !is_beyond_chance(best, moments.validation)) return {};
  return best;
}

}  // namespace

EffectFit fit_effects(const Series& series, const Scaler& scaler, const EffectRowsToFit& rows,
                      ThreadPool& pool) {
  const Lags lags = lags_for(series, rows);
  EffectFit fit;
  fit.apart = lags.text;
  EffectDesign design =
      EffectDesign::of(series, rows.training, groups_for(series.step, lags.steps));
  if (design.terms().empty()) return fit;
  const std::vector<PartMoments> moments = moments_of(series, scaler, rows, design, lags, pool);
  std::vector<Found> found(moments.size());
  pool.run(moments.size(), [&](std::size_t set, std::size_t) {
    found[set] = best_of(moments[set], design.group_count());
  });
  std::vector<double> weights;
  for (std::size_t set = 0; set < moments.size(); ++set) {
    const bool is_used = found[set].strength.has_value();
    fit.strengths.push_back(found[set].strength);
    if (is_used) {
      fit.targets += rows.is_shared ? rows.training.size() : 1;
      fit.without += moments[set].validation.mean_square();
      fit.with += found[set].error;
    } else {
      found[set].weights.assign(design.group_count() * design.terms().size(), 0.0);
    }
    weights.insert(weights.end(), found[set].weights.begin(), found[set].weights.end());
  }
  if (fit.targets == 0) return fit;
  const auto used = static_cast<double>(
      std::ranges::count_if(found, [](const Found& each) { return each.strength.has_value(); }));
  fit.without /= used;
  fit.with /= used;
  fit.effects.emplace(std::move(design), moments.size(), std::move(weights));
  return fit;
}

std::optional<Effects> refit_effects(const EffectFit& found, const Series& series,
                                     const Scaler& scaler, const EffectRowsToFit& rows,
                                     ThreadPool& pool) {
  if (!found.effects) return std::nullopt;
  const EffectDesign& design = found.effects->design();
  const std::vector<PartMoments> moments =
      moments_of(series, scaler, rows, design, lags_for(series, rows), pool);
  std::vector<double> weights;
  for (std::size_t set = 0; set < moments.size(); ++set) {
    std::optional<std::vector<double>> own;
    if (found.strengths[set]) own = moments[set].training.solve(*found.strengths[set]);
    if (!own) own.emplace(design.group_count() * design.terms().size(), 0.0);
    weights.insert(weights.end(), own->begin(), own->end());
  }
  return Effects(design, moments.size(), std::move(weights));
}

Decision decision_of(const EffectFit& fit, const std::string& columns, std::size_t targets) {
  if (!fit.effects) {
    return {"effects", "none",
            fmt::format("{} explain nothing of what the validation rows differ by from {}: the "
                        "forecast does not depend on them",
                        columns, fit.apart)};
  }
  return {"effects", columns,
          fmt::format(
              "they explain {:.0f} % of what {} of the validation rows {} by from {}",
              100.0 * (1.0 - fit.with / fit.without),
              targets == 1 ? "the target" : fmt::format("{} of {} targets", fit.targets, targets),
              targets == 1 ? "differs" : "differ", fit.apart)};
}

}  // namespace pulsecast::train
