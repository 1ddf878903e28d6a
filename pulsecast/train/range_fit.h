// Ranges of a model that has just been trained.
#pragma once

#include "pulsecast/base/watch.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/train/fit.h"
#include "pulsecast/train/training_rows.h"

namespace pulsecast::train {

// Of fitted.ensemble, and a decision that tells of them. stopped: windows of validation that chose
// the weights, by which the local scales are learnt; kept: rows that nothing has seen, whose errors
// are ranked. Nothing where those have no window. `scaled` is as both were made of.
void add_ranges(const ScaledSeries& scaled, const Windows& stopped, const Part& kept,
                ThreadPool& pool, const Watch& watch, Fitted& fitted);

// To be called before the model is trained again on every row, and has another scaler.
void rescale_ranges(const Scaler& anew, Fitted& fitted);

}  // namespace pulsecast::train
