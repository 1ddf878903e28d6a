// Every stretch of T rows of history and H rows of future that may be learnt from or scored on.
//
// A window is a number; what it stands for is a row of the scaled series, and nothing is copied
// until a batch is gathered.
//
// Windows are of two kinds. Where channels are forecast together, a window has all of them. Those
// of its targets that have every value over T + H rows are there; the others are marked as missing,
// and zero. It has at least one target, and every value of what else it reads: known channels over
// T + H rows, past channels over the first T. In a panel a window has one target
// (series_windows.h), and is as it would be without all others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pulsecast/batch/batch.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/series/split.h"
#include "pulsecast/data/windows/calendar_index.h"
#include "pulsecast/data/windows/series_windows.h"

namespace pulsecast {

// Where the history of a window may lie.
enum class History {
  kInside,   // in the part itself: training
  kReaches,  // up to T rows before it, so that its first row is the first target
};

class Windows {
 public:
  // Windows of stride 1 whose targets lie in `part`. `series` must outlive them.
  Windows(const ScaledSeries& series, std::size_t lookback, std::size_t horizon, RowRange part,
          History history);
  // The same of several runs of rows, the oldest first: targets lie in one of them, and a history
  // inside begins no earlier than the first does.
  Windows(const ScaledSeries& series, std::size_t lookback, std::size_t horizon,
          std::span<const RowRange> runs, History history);
  // The one window whose history ends with the last row that has targets: what forecasting reads.
  // Its own targets are NaN. Empty where the history has a gap, is too short, or known channels do
  // not go on for `horizon` rows. The series must have been made with `future` of at least
  // `horizon`.
  static Windows at_end(const ScaledSeries& series, std::size_t lookback, std::size_t horizon);

  // The windows of a panel. `series` must outlive them.
  Windows(const ScaledSeries& series, const WindowSize& size, SeriesWindows of_series);

  // Keeps at most `most` of them, evenly, the newest among them. Windows of a panel are thinned as
  // they are made, and stay.
  void thin(std::size_t most);

  std::size_t size() const { return panel_ ? panel_->size() : first_rows_.size(); }
  // First row of the history of a window.
  std::size_t first_row(std::size_t window) const {
    return panel_ ? panel_->place(window).origin - lookback_ : first_rows_[window];
  }
  const ScaledSeries& series() const { return *series_; }
  // Null where channels are forecast together.
  const SeriesWindows* panel() const { return panel_ ? &*panel_ : nullptr; }
  // Whether every window has all its targets.
  bool is_whole() const { return present_.empty(); }
  // Whether channel `c` of a window is there.
  bool has(std::size_t window, std::size_t c) const {
    return present_.empty() || present_[window * series_->targets() + c] != 0;
  }
  // Shape of a batch of `samples` of these windows.
  BatchShape shape(std::size_t samples) const;

  // Gathers values, phases and calendars of the windows into a batch made with shape(); its
  // number of samples becomes windows.size(), which may be less than it has memory for. Allocates
  // nothing, and may run on many threads at once, each with its own batch.
  void gather(std::span<const std::uint32_t> windows, Batch& batch) const;
  // The two halves of gather(), for whoever cuts values into shards but encodes calendars once.
  void gather_values(std::span<const std::uint32_t> windows, Batch& batch) const;
  void gather_calendars(std::span<const std::uint32_t> windows, Batch& batch) const;

  // Keys that gather_calendars() may give for histories and for futures are below these.
  std::size_t distinct_history_calendars() const { return history_index_.distinct(); }
  std::size_t distinct_future_calendars() const { return future_index_.distinct(); }

 private:
  Windows(const ScaledSeries& series, std::size_t lookback, std::size_t horizon);
  std::size_t known_inputs() const;  // of a window
  void gather_whole(std::size_t window, std::size_t b, Batch& batch) const;
  void gather_series(std::size_t window, std::size_t b, Batch& batch) const;

  const ScaledSeries* series_;
  std::size_t lookback_;
  std::size_t horizon_;
  std::size_t period_ = 1;
  std::optional<SeriesWindows> panel_;
  std::vector<std::uint32_t> first_rows_;  // none in a panel
  std::vector<std::uint8_t> present_;      // (windows, targets); empty where all are
  CalendarIndex history_index_;
  CalendarIndex future_index_;
};

// Throws Error(kData) that says how many rows each window needs and what is there, where `windows`
// is empty. `part` names the rows: "training".
void require_windows(const Windows& windows, const Series& series, RowRange rows, const char* part,
                     std::size_t lookback, std::size_t horizon);

}  // namespace pulsecast
