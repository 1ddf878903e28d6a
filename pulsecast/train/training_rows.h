// The rows of a plan as training reads them: parts of them, scaled and without what known and
// static columns do, and the windows of each part.
#pragma once

#include <vector>

#include "pulsecast/base/watch.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/train/effect_fit.h"
#include "pulsecast/train/plan.h"
#include "pulsecast/train/static_fit.h"

namespace pulsecast::train {

// Rows of the grid, and of a panel those of each series in them.
struct Part {
  RowRange rows;
  std::vector<RowRange> of_series;
  // Where targets lie, if not in all of `rows`: the oldest first. Of validation some may be older
  // than `rows`, which are the newest of it.
  std::vector<RowRange> runs = {};

  // Those, or `rows`.
  std::vector<RowRange> target_runs() const { return runs.empty() ? std::vector{rows} : runs; }
};

// From the beginning of one to the end of the other.
Part part_of(const Plan& plan, RowRange Split::*first, RowRange Split::*last);

Scaler scaler_of(const Series& series, const Plan& plan, const Part& training);

// Whether known columns are to have effects, and there are any.
bool has_effects(const Series& series, const Plan& plan);
// Where there are: found on `training` and `validation`, and told of.
EffectFit find_effects(const Series& series, const Plan& plan, const Scaler& scaler,
                       const Part& training, const Part& validation, ThreadPool& pool);
// As those that were found, over other rows.
EffectFit find_effects_again(const EffectFit& found, const Series& series, const Plan& plan,
                             const Scaler& scaler, const Part& training, ThreadPool& pool);
// What is said of it.
Decision decision_of_effects(const EffectFit& found, const Series& series, const Plan& plan);

// Whether static columns are told of the series of a panel.
bool has_statics(const Series& series, const Plan& plan);
// What profiles are found on, once effects are.
struct PanelGround {
  const Series& series;
  const Plan& plan;
  const Scaler& scaler;
  const EffectFit& effects;
  const Part& training;
};
StaticFit find_profiles(const PanelGround& ground);
// As those that were found, over other rows.
StaticFit find_profiles_again(const StaticFit& found, const PanelGround& ground);

// For windows that look back at most `lookback` steps.
ScaledSeries scaled_for(const Series& series, const Scaler& scaler, const Plan& plan,
                        std::size_t lookback, const KnownUse& known);
KnownUse known_use(const EffectFit& effects, const StaticFit& statics, const Plan& plan);

// Of a panel those of validation are a sample: some of every series.
Windows windows_of(const ScaledSeries& scaled, const Plan& plan, std::size_t lookback,
                   const Part& part, History history);

}  // namespace pulsecast::train
