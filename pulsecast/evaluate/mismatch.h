// How far the future of a window lies from its history: the paper's measure of what a forecaster
// that only looks back cannot know.
//
// Over every window and target channel of scaled data, with means mu, population standard
// deviations sigma, and amplitude spectra A of the window without its mean, scaled to sum 1:
//   mean shift         |mu_y - mu_x| / (|mu_y| + |mu_x|)
//   deviation shift    |sigma_y - sigma_x| / (sigma_y + sigma_x)
//   spectral mismatch  half the sum over f of |A_x(f) - A_y(f)|, f = 0 .. T/2, where the future's
//                      spectrum is cut to (or ends before) the history's bins
// each 0 where both sides are 0, so all three lie in [0, 1].
#pragma once

#include <cstddef>
#include <span>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/data/series/split.h"

namespace pulsecast {

struct Mismatch {
  double mean_shift = 0.0;
  double deviation_shift = 0.0;
  double spectral = 0.0;
  std::size_t windows = 0;   // that the means are over,
  std::size_t channels = 0;  // and channels of each; of a panel, the series that have windows
};

// Windows and scaler are both of `rows` alone. Throws Error(kData) where no window fits. The result
// does not depend on the number of threads.
Mismatch measure_mismatch(const Series& series, RowRange rows, std::size_t lookback,
                          std::size_t horizon, ThreadPool& threads);

// The same of a panel, whose windows are each of one series: rows (targets), those of each. A
// window has all of its history, since one that is padded would be measured against itself.
Mismatch measure_panel_mismatch(const Series& series, std::span<const RowRange> rows,
                                std::size_t lookback, std::size_t horizon, ThreadPool& threads);

}  // namespace pulsecast
