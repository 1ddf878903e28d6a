// Ranges of a model that has just been trained.
#pragma once

#include "pulsecast/base/watch.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/train/fit.h"
#include "pulsecast/train/training_rows.h"

namespace pulsecast::train {

// Of fitted.ensemble, and decisions that tell of them. training: rows that trained the weights,
// from which a quantile head learns; stopped: windows of validation that chose the weights, by
// which the local scales are learnt and the method is chosen; kept: rows that nothing has seen,
// whose errors are ranked. Nothing where those have no window. `scaled` is what `stopped` was made
// of.
void add_ranges(const ScaledSeries& scaled, const Part& training, const Windows& stopped,
                const Part& kept, ThreadPool& pool, const Watch& watch, Fitted& fitted);

// To be called before the model is trained again on every row, and has another scaler.
void rescale_ranges(const Scaler& anew, Fitted& fitted);

}  // namespace pulsecast::train
