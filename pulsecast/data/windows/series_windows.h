// The windows of a panel: each is of one series, and another's gap, late start or early end does
// not touch it.
//
// A window is H rows of future before which there are at least `enough` rows without a gap. Where
// a gap or the series' beginning cuts the look-back short, the window is padded (pad_history). What
// the windows of a series are depends on that series alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pulsecast/data/series/row_range.h"
#include "pulsecast/data/series/scaled_series.h"

namespace pulsecast {

struct WindowSize {
  std::size_t lookback = 0;  // T
  std::size_t horizon = 0;   // H
  std::size_t period = 1;    // W, by which short histories are padded
};

// Rows of history below which nothing is learnt from or scored: a cycle, where that is not longer
// than the look-back.
std::size_t enough_history(const WindowSize& size);

struct WindowPlace {
  std::size_t target = 0;  // whose window it is
  std::size_t origin = 0;  // row of the first value to forecast
  std::size_t from = 0;    // row from which there is no gap before it
};

class SeriesWindows {
 public:
  // `series` is a panel. parts (targets): rows, counted as in the series that it was made of, in
  // which the futures lie. Where `history_inside`, histories do too. Of more than `most` windows
  // those of each series are thinned evenly, its newest kept; 0 is no limit. Throws Error(kData)
  // for more windows than can be numbered.
  SeriesWindows(const ScaledSeries& series, const WindowSize& size, std::span<const RowRange> parts,
                bool history_inside, std::size_t most);
  // The newest window of every target that has a value at all, however short its history: what
  // forecasting reads. Its future has no values.
  static SeriesWindows at_ends(const ScaledSeries& series);

  std::size_t size() const { return first_of_.back(); }
  WindowPlace place(std::size_t window) const;
  // (targets + 1): windows of a target are numbered from its own on to that of the next.
  std::span<const std::uint32_t> first_of_targets() const { return first_of_; }

 private:
  // Windows whose origins follow each other, `stride_` rows apart, in one stretch without a gap.
  struct Run {
    std::uint32_t target;
    std::uint32_t from;
    std::uint32_t first_origin;
    std::uint32_t first_window;
  };

  SeriesWindows() = default;

  std::size_t stride_ = 1;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> first_of_;
};

// The T values before `origin` of a channel of a panel, to `out`; nothing before `from` is read.
// What is missing is the first cycle that is there, again and again back in time, so that a padded
// history keeps its beat; the mean of what is there where that is less than a cycle.
void pad_history(const ScaledSeries& series, std::size_t channel, const WindowPlace& place,
                 const WindowSize& size, float* out);

}  // namespace pulsecast
