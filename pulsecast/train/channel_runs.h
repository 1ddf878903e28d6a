// The windows of one channel as runs of rows, for sums that go over rows instead of windows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pulsecast/data/windows/windows.h"
#include "pulsecast/train/window_moments.h"

namespace pulsecast::train {

// Windows that follow each other row by row.
struct WindowRun {
  std::size_t first_row = 0;  // of the first window's history
  std::size_t windows = 0;
};

// Of the windows that have channel `c`; not of a panel. They look back as far as the windows do.
std::vector<WindowRun> runs_of(const Windows& windows, std::size_t c);

// The levels of a channel by phase, about their mean: what its rows in the runs repeat on average.
// Phases without a row are 0.
std::vector<double> cycle_levels(const Windows& windows, std::size_t c, std::size_t period);

// Moments of maps that look back `lookback` steps, at most as far as the windows do, over the
// windows that have channel `c`; of what is left of it without `cycle`, where that is not empty.
WindowMoments channel_moments(const Windows& windows, std::size_t c, std::size_t lookback,
                              std::span<const double> cycle = {});

}  // namespace pulsecast::train
