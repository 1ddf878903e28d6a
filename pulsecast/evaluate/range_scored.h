// What ranges came to on windows whose futures had come.
#pragma once

#include <string>
#include <vector>

#include "pulsecast/metrics/coverage_bootstrap.h"
#include "pulsecast/metrics/interval_table.h"

namespace pulsecast {

struct MonthRanges {
  std::string month;      // "2017-11"
  IntervalErrors errors;  // on scaled data
};

struct LevelScored {
  IntervalTable scaled;
  IntervalTable original;                    // in the units of each channel
  CoverageRange coverage;                    // 95 percent of a block bootstrap over windows
  std::vector<CoverageRange> step_coverage;  // (H)
  std::vector<MonthRanges> per_month;        // of a backtest, in the order of time
  double msis = 0.0;  // mean over channels whose training rows change over the season at all
};

struct RangesScored {
  std::string name;  // "as calibrated", "corrected"
  std::vector<LevelScored> levels;
  double weighted_quantile_loss = 0.0;  // on scaled data, over the probabilities that are scored
  double crps = 0.0;
};

}  // namespace pulsecast
