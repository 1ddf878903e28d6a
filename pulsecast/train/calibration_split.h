// Which of the rows for validation choose the epoch, and which calibrate ranges.
//
// Ranges promise what they were measured to hold, so they are measured on rows that had no say in
// the weights: neither trained them nor said when to stop. Where channels are forecast together
// those are the newest of the rows for validation; in a panel, whose series may have one window
// each, all such rows of some of the series.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pulsecast/data/series/row_range.h"
#include "pulsecast/train/training_rows.h"

namespace pulsecast::train {

struct CalibrationSplit {
  RowRange stops;       // choose the epoch
  RowRange calibrates;  // empty: there are too few for both
};

// Each part has a window's future, or there is no second part.
CalibrationSplit split_for_calibration(RowRange validation, double share, std::size_t horizon);

// Of a panel, series by series: whether a series calibrates. At least one does not, and none does
// where fewer than two have such rows.
std::vector<bool> series_that_calibrate(std::span<const RowRange> validation, double share);

// Takes off `validation` what calibrates ranges, and is not to choose the epoch; nothing where rows
// are too few for both.
Part take_calibration(const Plan& plan, double share, Part& validation);

}  // namespace pulsecast::train
