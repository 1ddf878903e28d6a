// What a backtest comes to: how forecasts from many past origins did, beside those of others.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/evaluate/range_scored.h"
#include "pulsecast/metrics/diebold_mariano.h"

namespace pulsecast {

// Means over values. Over several channels, original units are an average of unlike things.
struct BacktestErrors {
  double mse = 0.0;  // these four on scaled data
  double mae = 0.0;
  double rmse = 0.0;
  double bias = 0.0;  // forecast - truth
  double smape =
      0.0;  // 200 |f - y| / (|f| + |y|), in percent of original values; 0 where both are 0
  double mae_units = 0.0;  // these three in the channels' own units
  double rmse_units = 0.0;
  double bias_units = 0.0;
  std::size_t values = 0;  // that the means are over; NaN where there are none
};

struct MonthErrors {
  std::string month;  // "2017-11", of the rows forecast, on the zone's wall clock
  BacktestErrors errors;
};

// Errors over how much the training rows differ from `lag` steps earlier, means over channels.
struct ScaledByLag {
  std::size_t lag = 1;
  double mase = 0.0;
  double rmsse = 0.0;
};

struct BacktestContender {
  std::string name;  // "model", "naive", "seasonal naive (day)", "drift", a file
  BacktestErrors overall;
  std::vector<BacktestErrors> per_channel;  // (targets)
  std::vector<BacktestErrors> per_step;     // (H)
  std::vector<MonthErrors> per_month;       // in the order of time
  std::vector<ScaledByLag> scaled;          // lag 1, then each season's
  // Squared errors of the model against this one's, origin by origin: a negative difference is the
  // model's gain. None of the model itself, and where origins are too few for the test.
  std::optional<DieboldMariano> beside;
};

// The model's ranges hold far less than they promise, or its error is too large beside seasonal
// naive's, or naive's where no season is known.
struct DriftAlarm {
  Instant at;               // last row seen when it rose
  double ratio = 0.0;       // of mean squared errors over the latest origins
  double reference = 0.0;   // of those before; NaN where there were none
  std::size_t origins = 0;  // that the ratio is over
  // Of an alarm by ranges: what they promise, in percent, and the share that they held over the
  // latest origins; the ratio is then NaN.
  double level = 0.0;
  double coverage = 0.0;
};

struct BacktestRefit {
  Instant at;                // last row that it learnt from
  std::size_t rows = 0;      // that it could learn from
  double validation = 0.0;   // MSE on its own scale
  bool is_by_drift = false;  // an alarm asked for it, not the count of origins
};

struct Backtest {
  std::size_t origins = 0;
  std::size_t stride = 1;
  Instant first_cutoff;  // last row that the first forecast saw, and the last
  Instant last_cutoff;
  std::size_t horizon = 0;
  std::vector<std::string> channels;          // targets
  std::vector<BacktestContender> contenders;  // the model first
  // Of a model with ranges that is not trained again and forecasts its channels together: its
  // ranges as they were calibrated, and corrected by the origins before each.
  std::vector<RangesScored> ranges;
  std::vector<BacktestRefit> refits;  // after the first training
  std::vector<DriftAlarm> alarms;
  std::string drift_beside;        // the contender that drift is measured against
  std::size_t drift_window = 0;    // origins that a ratio is over
  std::size_t origins_before = 0;  // found in a journal, not forecast anew
};

}  // namespace pulsecast
