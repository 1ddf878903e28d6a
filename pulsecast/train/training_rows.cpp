#include "pulsecast/train/training_rows.h"

#include <algorithm>

#include "pulsecast/settings/value_text.h"

namespace pulsecast::train {
namespace {

// Of a panel a sample of the windows tells which epoch is best.
constexpr std::size_t kMostValidationWindows = 1 << 16;

std::vector<RowRange> of_each_target(const Series& series, const Part& part) {
  if (!part.of_series.empty()) return part.of_series;
  const auto targets = std::ranges::count(series.channels, Role::kTarget, &Channel::role);
  return std::vector<RowRange>(static_cast<std::size_t>(targets), part.rows);
}

EffectRowsToFit rows_to_fit(const Series& series, const Plan& plan, const Part& training) {
  EffectRowsToFit rows{of_each_target(series, training), {}, plan.shape.period, plan.is_panel()};
  rows.training_runs = training.runs;
  return rows;
}

// Shapes are those of a series' own rows: no look-back is needed before them.
ScaledSeries without_profiles(const PanelGround& ground) {
  return scaled_for(ground.series, ground.scaler, ground.plan, 0,
                    known_use(ground.effects, {}, ground.plan));
}

}  // namespace

Part part_of(const Plan& plan, RowRange Split::*first, RowRange Split::*last) {
  Part part{{(plan.split.*first).begin, (plan.split.*last).end}, {}};
  if (plan.spread && first == &Split::train && last == first) part.runs = plan.spread->trains;
  for (const Split& split : plan.series_splits) {
    part.of_series.push_back({(split.*first).begin, (split.*last).end});
  }
  return part;
}

Scaler scaler_of(const Series& series, const Plan& plan, const Part& training) {
  return plan.is_panel() ? Scaler::fit_each(series, training.of_series, plan.shape.period)
                         : Scaler::fit(series, training.target_runs());
}

bool has_effects(const Series& series, const Plan& plan) {
  return plan.settings.model.known_as != KnownAs::kFeatures &&
         std::ranges::count(series.channels, Role::kKnown, &Channel::role) > 0;
}

EffectFit find_effects(const Series& series, const Plan& plan, const Scaler& scaler,
                       const Part& training, const Part& validation, ThreadPool& pool) {
  EffectRowsToFit rows = rows_to_fit(series, plan, training);
  rows.validation = of_each_target(series, validation);
  rows.validation_runs = validation.runs;
  return fit_effects(series, scaler, rows, pool);
}

EffectFit find_effects_again(const EffectFit& found, const Series& series, const Plan& plan,
                             const Scaler& scaler, const Part& training, ThreadPool& pool) {
  EffectFit again = found;
  again.effects = refit_effects(found, series, scaler, rows_to_fit(series, plan, training), pool);
  return again;
}

Decision decision_of_effects(const EffectFit& found, const Series& series, const Plan& plan) {
  const auto targets = std::ranges::count(series.channels, Role::kTarget, &Channel::role);
  return decision_of(found, joined(plan.settings.data.known), static_cast<std::size_t>(targets));
}

bool has_statics(const Series& series, const Plan& plan) {
  return plan.is_panel() && !series.statics.empty();
}

StaticFit find_profiles(const PanelGround& ground) {
  const ScaledSeries scaled = without_profiles(ground);
  return fit_statics({ground.series, scaled, ground.plan.calendar, ground.training.of_series});
}

StaticFit find_profiles_again(const StaticFit& found, const PanelGround& ground) {
  StaticFit again = found;
  const ScaledSeries scaled = without_profiles(ground);
  again.profiles = refit_statics(
      found, {ground.series, scaled, ground.plan.calendar, ground.training.of_series});
  return again;
}

ScaledSeries scaled_for(const Series& series, const Scaler& scaler, const Plan& plan,
                        std::size_t lookback, const KnownUse& known) {
  if (!plan.is_panel()) return {series, scaler, plan.calendar, 0, known};
  return ScaledSeries::panel(series, scaler, plan.calendar, lookback, 0, known);
}

KnownUse known_use(const EffectFit& effects, const StaticFit& statics, const Plan& plan) {
  return {effects.effects ? &*effects.effects : nullptr, plan.known_are_inputs(),
          statics.profiles ? &*statics.profiles : nullptr};
}

Windows windows_of(const ScaledSeries& scaled, const Plan& plan, std::size_t lookback,
                   const Part& part, History history) {
  const std::size_t horizon = plan.shape.horizon;
  if (!plan.is_panel()) return {scaled, lookback, horizon, part.target_runs(), history};
  const WindowSize size{lookback, horizon, plan.shape.period};
  const bool inside = history == History::kInside;
  return {scaled, size,
          SeriesWindows(scaled, size, part.of_series, inside, inside ? 0 : kMostValidationWindows)};
}

}  // namespace pulsecast::train
