// What an evaluation comes to.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pulsecast/evaluate/range_scored.h"
#include "pulsecast/metrics/error_table.h"
#include "pulsecast/metrics/mase.h"

namespace pulsecast {

// Both kinds of mean absolute scaled error against the value `lag` steps earlier.
struct MaseAtLag {
  std::size_t lag = 1;
  Mase paper;  // over the rows forecast, scaled
  Mase usual;  // over the training rows
};

struct Scored {
  std::string name;        // "model", "naive", "seasonal naive (week)", "drift"
  std::size_t period = 0;  // of a seasonal naive forecast, in steps
  ErrorTable scaled;
  ErrorTable original;          // in the units of each channel
  std::vector<MaseAtLag> mase;  // lag 1, then that of each season
};

struct Evaluation {
  std::size_t windows = 0;   // of a panel each is of one series
  std::size_t channels = 0;  // targets, of a panel series, that have a window
  std::size_t horizon = 0;
  Scored model;
  std::vector<Scored> baselines;  // naive, the seasonal ones, drift
  // Of a model with calibrated ranges: as they are, and corrected by the windows before each.
  std::vector<RangesScored> ranges = {};
};

}  // namespace pulsecast
