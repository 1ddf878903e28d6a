// The linear backbone alone, learnt in closed form: ridge regression of the future on the history,
// both without the history's mean, one map for all channels.
//
//   minimise over W, b   sum over windows and channels |y - W x - b|^2 + s n v |W|^2
//
// with n rows of mean variance v, so that a strength s means the same whatever the data. An epoch
// is a strength: the first is strong, each one after it half a decade weaker, and validation keeps
// the best of them, as it keeps the best epoch of a training by gradients. The sums over the
// windows are made once, so that a strength costs a small system of equations and a validation.
#pragma once

#include "pulsecast/train/trainer.h"

namespace pulsecast::train {

// Whether a model is one that can be: what complete() and fit() ask.
bool has_closed_form(const model::ModelShape& shape);

// `task.pulse` ends with the best strength's weights, or, without validation, those of strength
// number `epochs`: so a second training on every row has the strength that validated best.
// Nothing of it is saved: it takes seconds. Throws Error(kInterrupted) when stopped.
TrainingResult solve_ridge(const TrainingTask& task, ThreadPool& pool);

// Of epoch 1, 2 ...
double ridge_strength(std::uint32_t epoch);

}  // namespace pulsecast::train
