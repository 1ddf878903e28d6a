// Whether a quantile head makes a model's ranges better, and how much of what it says.
//
// A head learns from the rows that trained the model, of which there are few seasons: what it says
// of other rows is too bold, and ranges that follow all of it may be worse than those that follow
// half. So it is tried with shares of it on windows that chose the epoch: either half of them is
// ranked for the other. The least share counts that is not clearly worse than the best one, by one
// standard error of the difference over blocks of windows that do not overlap; where none at all is
// that share, ranges are those of residuals.
#pragma once

#include <optional>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/calibrate/calibration.h"
#include "pulsecast/calibrate/error_sheet.h"
#include "pulsecast/calibrate/quantile_head.h"

namespace pulsecast::train {

// Of what a head says, where there is too little to try it on.
inline constexpr double kUntriedShare = 0.5;

// Mean interval scores of the 80 and 95 percent ranges together, on scaled data.
struct HeadTrial {
  double share = 0.0;     // of what the head says; 0: none, the residual method
  double residual = 0.0;  // the score without it
  double quantile = 0.0;  // with that share, or with the best that there is of one
};

enum class HeadWanted { kIfBetter, kTold };  // told: a share of 0 is none

// The scales and sets of windows are those of `ranges`. None of the windows are to be ranked
// afterwards: who has chosen by them may not promise by them. Nothing where no set has windows
// enough in both halves.
std::optional<HeadTrial> try_head(const calibrate::ErrorSheet& learnt,
                                  const calibrate::Calibration& ranges, bool is_panel,
                                  const calibrate::QuantileHead& head, HeadWanted wanted,
                                  ThreadPool& pool);

}  // namespace pulsecast::train
