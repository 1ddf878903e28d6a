// A model's scores on rows: which rows a part is, and how good its forecasts of them are.
#pragma once

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/evaluate/evaluation.h"
#include "pulsecast/forecast/part.h"

namespace pulsecast {

// `series` is aligned with the model. The rows whose targets are scored, empty where there are
// none. The file that the model was trained on has the same row numbers, also where its stamps
// repeat or go back; in any other, rows are found by their stamps.
RowRange rows_of(const Series& series, const artifact::Model& model, Part part);

// Of a panel: the rows of each target of `series`, which are found by the stamps that the model has
// of each. A series that the model has not seen is held out as a whole.
std::vector<RowRange> rows_of_series(const Series& series, const artifact::Model& model, Part part);

// Whether the model's ranges are scored too, where it has any.
enum class RangeScoring { kScored, kLeftOut };

// Every window of a panel whose future lies in the rows of its series. Throws Error(kData) where
// there is none.
Evaluation evaluate_series(const Series& series, const artifact::Model& model,
                           std::span<const RowRange> rows, RangeScoring ranges, ThreadPool& threads,
                           const Watch& watch);

// Every window whose targets lie in `rows`. Throws Error(kData) where there is none.
Evaluation evaluate_rows(const Series& series, const artifact::Model& model, RowRange rows,
                         RangeScoring ranges, ThreadPool& threads, const Watch& watch);

}  // namespace pulsecast
