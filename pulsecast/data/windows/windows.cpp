#include "pulsecast/data/windows/windows.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

// For each row, how many rows from it on have all values of the channels [first, last).
std::vector<std::uint32_t> complete_runs(const ScaledSeries& series, std::size_t first,
                                         std::size_t last) {
  std::vector<std::uint32_t> runs(series.rows(), 1);
  for (std::size_t c = first; c < last; ++c) {
    const std::span<const float> values = series.channel(c);
    for (std::size_t row = 0; row < runs.size(); ++row) {
      if (std::isnan(values[row])) runs[row] = 0;
    }
  }
  for (std::size_t row = runs.size(); row-- > 1;) {
    if (runs[row - 1] != 0) runs[row - 1] = runs[row] + 1;
  }
  return runs;
}

// Copies `length` values from row `first` of every channel [from, to) to consecutive places.
void copy_channels(const ScaledSeries& series, std::size_t from, std::size_t to, std::size_t first,
                   std::size_t length, float* out) {
  for (std::size_t c = from; c < to; ++c, out += length) {
    std::copy_n(series.channel(c).data() + first, length, out);
  }
}

// The distinct keys in ascending order, the place of each sample's among them, and their features.
// `offset` is from a window's first row to the stretch that the calendar covers.
void gather_side(const ScaledSeries& series, const CalendarIndex& index, std::size_t offset,
                 std::span<const std::uint32_t> first_rows, std::span<const std::uint32_t> windows,
                 Calendars& out) {
  assert(windows.size() <= out.of_sample.size());
  for (std::size_t b = 0; b < windows.size(); ++b) {
    out.of_sample[b] = index.key(first_rows[windows[b]] + offset);
  }
  list_distinct(out, windows.size());
  const std::size_t floats = index.length() * series.features();
  for (std::size_t i = 0; i < out.distinct; ++i) {
    const std::size_t row = index.first_row(out.keys[i]);
    std::copy_n(series.feature_rows().data() + row * series.features(), floats,
                out.features.data() + i * floats);
  }
}

}  // namespace

Windows::Windows(const ScaledSeries& series, std::size_t lookback, std::size_t horizon)
    : series_(&series),
      lookback_(lookback),
      horizon_(horizon),
      history_index_(series.calendar_numbers(), lookback),
      future_index_(series.calendar_numbers(), horizon) {
  assert(lookback >= 1 && horizon >= 1);
}

Windows::Windows(const ScaledSeries& series, std::size_t lookback, std::size_t horizon,
                 RowRange part, History history)
    : Windows(series, lookback, horizon) {
  assert(part.begin <= part.end && part.end <= series.rows());
  const std::size_t reach = history == History::kReaches ? std::min(part.begin, lookback) : 0;
  const std::size_t known_end = series.targets() + series.known();
  const auto both = complete_runs(series, 0, known_end);
  const auto past = complete_runs(series, known_end, series.channels());
  for (std::size_t row = part.begin - reach; row + lookback + horizon <= part.end; ++row) {
    if (both[row] >= lookback + horizon && past[row] >= lookback) {
      first_rows_.push_back(static_cast<std::uint32_t>(row));
    }
  }
}

Windows Windows::at_end(const ScaledSeries& series, std::size_t lookback, std::size_t horizon) {
  assert(series.calendar_rows() >= series.rows() + horizon);
  Windows windows(series, lookback, horizon);
  if (series.target_rows() < lookback) return windows;
  const std::size_t row = series.target_rows() - lookback;
  const std::size_t known_end = series.targets() + series.known();
  const auto is_complete = [&](std::size_t first, std::size_t last, std::size_t length) {
    if (first == last) return true;
    return complete_runs(series, first, last)[row] >= length;
  };
  if (is_complete(0, series.targets(), lookback) &&
      is_complete(series.targets(), known_end, lookback + horizon) &&
      is_complete(known_end, series.channels(), lookback)) {
    windows.first_rows_.push_back(static_cast<std::uint32_t>(row));
  }
  return windows;
}

BatchShape Windows::shape(std::size_t samples) const {
  return {.samples = samples,
          .channels = series_->targets(),
          .lookback = lookback_,
          .horizon = horizon_,
          .features = series_->features(),
          .known = series_->known(),
          .past = series_->past()};
}

void Windows::gather(std::span<const std::uint32_t> windows, Batch& batch) const {
  gather_values(windows, batch);
  gather_calendars(windows, batch);
}

void Windows::gather_values(std::span<const std::uint32_t> windows, Batch& batch) const {
  const std::size_t C = series_->targets();
  const std::size_t K = series_->known();
  const std::size_t T = lookback_;
  const std::size_t H = horizon_;
  assert(windows.size() * C * T <= batch.history.size());
  batch.shape.samples = windows.size();
  for (std::size_t b = 0; b < windows.size(); ++b) {
    const std::size_t row = first_rows_[windows[b]];
    copy_channels(*series_, 0, C, row, T, batch.history.data() + b * C * T);
    copy_channels(*series_, 0, C, row + T, H, batch.target.data() + b * C * H);
    copy_channels(*series_, C, C + K, row, T, batch.known_history.data() + b * K * T);
    copy_channels(*series_, C, C + K, row + T, H, batch.known_future.data() + b * K * H);
    copy_channels(*series_, C + K, series_->channels(), row, T,
                  batch.past_history.data() + b * series_->past() * T);
    std::copy_n(series_->phases().data() + row, T, batch.history_phase.data() + b * T);
    std::copy_n(series_->phases().data() + row + T, H, batch.future_phase.data() + b * H);
  }
}

void Windows::gather_calendars(std::span<const std::uint32_t> windows, Batch& batch) const {
  batch.shape.samples = windows.size();
  gather_side(*series_, history_index_, 0, first_rows_, windows, batch.history_calendars);
  gather_side(*series_, future_index_, lookback_, first_rows_, windows, batch.future_calendars);
}

void require_windows(const Windows& windows, const Series& series, RowRange rows, const char* part,
                     std::size_t lookback, std::size_t horizon) {
  if (windows.size() > 0) return;
  throw make_error(ErrorKind::kData, series.source,
                   "the {} rows {} to {} hold no window: each needs {} of history and {} of future "
                   "without a gap in any column",
                   part, rows.begin + 1, rows.end, counted(lookback, "row"), horizon)
      .with(remedy::advice("give more rows"))
      .with(remedy::smaller("lookback", "needs fewer"))
      .with(remedy::smaller("horizon", "needs fewer"))
      .with(remedy::open("fill", "fills the gaps"));
}

}  // namespace pulsecast
