// Mean absolute scaled error: the absolute error of a forecast, over how much the data themselves
// differ from m steps earlier. Two definitions are in use, and their figures are not comparable.
//
// With MAE_c the mean absolute error of channel c over all windows and steps, and
// D_c(rows) the mean of |x_t - x_(t-m)| of channel c over those t for which both rows lie in `rows`
// and neither is a gap:
//
//   the paper's   sum over c of MAE_c / sum over c of D_c(rows forecast)
//                 over scaled data. Channels are pooled before the division: of the readings of the
//                 paper's formula this is the one whose denominator on AQShunyi, 0.149 at m = 1,
//                 fits its table. It needs the very data that was to be forecast.
//   the usual     mean over c of MAE_c / D_c(training rows)
//                 (Hyndman and Koehler, 2006). Every channel is divided by its own training data,
//                 so that it is the same in any unit. 1 is the error, inside the training rows, of
//                 repeating the value m steps back.
//
// Of one channel, each is MAE_c / D_c. A channel that never differs from m steps earlier, or has no
// two rows m apart, has none (NaN): the usual mean leaves it out, and says over how many it is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pulsecast {

struct Mase {
  double overall = 0.0;             // NaN where no channel has one
  std::vector<double> per_channel;  // (C)
  std::size_t channels = 0;         // that have one
};

// Mean of |x_t - x_(t-m)|; NaN without a pair that is there. values (rows), m >= 1.
double mean_lag_difference(std::span<const float> values, std::size_t m);

// The root of the mean of (x_t - x_(t-m))^2; NaN without a pair that is there. The root of a
// channel's mean squared error over it is the root mean squared scaled error of the M5 contest;
// usual_mase() of roots is its mean over channels.
double root_mean_square_lag_difference(std::span<const float> values, std::size_t m);

// absolute_errors (C): MAE_c of scaled values. lag_differences (C): D_c of the rows forecast.
Mase paper_mase(std::span<const double> absolute_errors, std::span<const double> lag_differences);

// The same, with D_c of the training rows.
Mase usual_mase(std::span<const double> absolute_errors, std::span<const double> lag_differences);

}  // namespace pulsecast
