// Finds what known columns do to targets (data/effects/effects.h), in closed form.
//
// A row is compared with the rows one to four cycles before it, a week apart where a week has
// steps: what the row's value differs by from their mean is explained by what its known values
// differ by from theirs. So nothing that repeats, drifts or grows has a part in it: that is left to
// the model. Strengths are those that leave least on the validation rows, compared the same way.
// There are no effects where that is not less than without them by a hundredth, and by more than
// columns which have nothing to do with the target would come to by chance.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/effects/effects.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/train/effect_moments.h"
#include "pulsecast/train/reports.h"

namespace pulsecast::train {

struct EffectRowsToFit {
  std::vector<RowRange> training;    // one a target
  std::vector<RowRange> validation;  // the same; empty where strengths are told
  std::size_t period = 1;            // of the calendar plan
  bool is_shared = false;            // one set of weights for all: a panel
  // Of every target, where not all of those rows count: the runs that do.
  std::vector<RowRange> training_runs = {};
  std::vector<RowRange> validation_runs = {};
};

struct EffectFit {
  std::optional<Effects> effects;                        // none where no target has any
  std::vector<std::optional<EffectStrength>> strengths;  // of each set of weights
  std::size_t targets = 0;                               // that have effects
  // Mean squares over the validation rows of those targets, without effects and with.
  double without = 0.0;
  double with = 0.0;
  std::string apart;  // what a row is compared with: "the 4 weeks before"
};

EffectFit fit_effects(const Series& series, const Scaler& scaler, const EffectRowsToFit& rows,
                      ThreadPool& pool);

// The same strengths and terms, over other rows.
std::optional<Effects> refit_effects(const EffectFit& found, const Series& series,
                                     const Scaler& scaler, const EffectRowsToFit& rows,
                                     ThreadPool& pool);

// What is said of it. `columns` are the names of the known columns.
Decision decision_of(const EffectFit& fit, const std::string& columns, std::size_t targets);

}  // namespace pulsecast::train
