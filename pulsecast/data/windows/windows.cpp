#include "pulsecast/data/windows/windows.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

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

// Copies what a model sees of every channel [from, to), `length` values from row `first` on, to
// consecutive places.
void copy_channels(const ScaledSeries& series, std::size_t from, std::size_t to, std::size_t first,
                   std::size_t length, float* out) {
  for (std::size_t c = from; c < to; ++c, out += length) {
    std::copy_n(series.seen(c).data() + first, length, out);
  }
}

// The distinct keys in ascending order, the place of each sample's among them, and their features.
// `offset` is from a window's first row to the stretch that the calendar covers.
void gather_side(const ScaledSeries& series, const CalendarIndex& index, std::size_t offset,
                 const Windows& all, std::span<const std::uint32_t> windows, Calendars& out) {
  assert(windows.size() <= out.of_sample.size());
  for (std::size_t b = 0; b < windows.size(); ++b) {
    out.of_sample[b] = index.key(all.first_row(windows[b]) + offset);
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
    : Windows(series, lookback, horizon, std::span(&part, 1), history) {}

Windows::Windows(const ScaledSeries& series, std::size_t lookback, std::size_t horizon,
                 std::span<const RowRange> runs, History history)
    : Windows(series, lookback, horizon) {
  assert(!runs.empty() && runs.back().end <= series.rows());
  const std::size_t oldest = history == History::kReaches ? 0 : runs.front().begin;
  const std::size_t C = series.targets();
  const std::size_t known_end = C + series.known();
  const std::size_t whole = lookback + horizon;
  const auto known = complete_runs(series, C, known_end);
  const auto past = complete_runs(series, known_end, series.channels());
  std::vector<std::vector<std::uint32_t>> targets;
  for (std::size_t c = 0; c < C; ++c) targets.push_back(complete_runs(series, c, c + 1));
  const auto consider = [&](std::size_t row) {
    const auto is_there = [&](const auto& complete) { return complete[row] >= whole; };
    if (known[row] < whole || past[row] < lookback) return;
    const auto count = static_cast<std::size_t>(std::ranges::count_if(targets, is_there));
    if (count == 0) return;
    // Marks are kept from the first window on that needs one.
    if (count < C && present_.empty()) present_.assign(first_rows_.size() * C, 1);
    if (count < C || !present_.empty()) {
      for (const auto& complete : targets) present_.push_back(is_there(complete) ? 1 : 0);
    }
    first_rows_.push_back(static_cast<std::uint32_t>(row));
  };
  for (const RowRange& run : runs) {
    const std::size_t reach = std::min(run.begin, lookback);
    for (std::size_t row = std::max(oldest, run.begin - reach); row + whole <= run.end; ++row) {
      consider(row);
    }
  }
}

Windows::Windows(const ScaledSeries& series, const WindowSize& size, SeriesWindows of_series)
    : Windows(series, size.lookback, size.horizon) {
  period_ = size.period;
  panel_ = std::move(of_series);
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

void Windows::thin(std::size_t most) {
  const std::size_t count = first_rows_.size();
  if (panel_ || count <= most) return;
  const std::size_t C = series_->targets();
  const bool was_whole = is_whole();
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t window = (i + 1) * count / most - 1;  // never before i
    first_rows_[i] = first_rows_[window];
    if (was_whole) continue;
    std::copy_n(present_.begin() + static_cast<std::ptrdiff_t>(window * C), C,
                present_.begin() + static_cast<std::ptrdiff_t>(i * C));
  }
  first_rows_.resize(most);
  if (!was_whole) present_.resize(most * C);
}

BatchShape Windows::shape(std::size_t samples) const {
  return {.samples = samples,
          .channels = panel_ ? 1 : series_->targets(),
          .lookback = lookback_,
          .horizon = horizon_,
          .features = series_->features(),
          .known = known_inputs(),
          .past = series_->past(),
          .may_lack_channels = !is_whole()};
}

std::size_t Windows::known_inputs() const {
  if (!series_->known_are_inputs()) return 0;
  return panel_ ? series_->known_of_each() : series_->known();
}

void Windows::gather(std::span<const std::uint32_t> windows, Batch& batch) const {
  gather_values(windows, batch);
  gather_calendars(windows, batch);
}

void Windows::gather_values(std::span<const std::uint32_t> windows, Batch& batch) const {
  const std::size_t T = lookback_;
  const std::size_t H = horizon_;
  assert(windows.size() * batch.shape.channels * T <= batch.history.size());
  batch.shape.samples = windows.size();
  for (std::size_t b = 0; b < windows.size(); ++b) {
    if (panel_) {
      gather_series(windows[b], b, batch);
    } else {
      gather_whole(windows[b], b, batch);
    }
    const std::size_t row = first_row(windows[b]);
    std::copy_n(series_->phases().data() + row, T, batch.history_phase.data() + b * T);
    std::copy_n(series_->phases().data() + row + T, H, batch.future_phase.data() + b * H);
  }
}

void Windows::gather_whole(std::size_t window, std::size_t b, Batch& batch) const {
  const std::size_t C = series_->targets();
  const std::size_t K = known_inputs();
  const std::size_t past = C + series_->known();
  const std::size_t T = lookback_;
  const std::size_t H = horizon_;
  const std::size_t row = first_rows_[window];
  copy_channels(*series_, 0, C, row, T, batch.history.data() + b * C * T);
  copy_channels(*series_, 0, C, row + T, H, batch.target.data() + b * C * H);
  copy_channels(*series_, C, C + K, row, T, batch.known_history.data() + b * K * T);
  copy_channels(*series_, C, C + K, row + T, H, batch.known_future.data() + b * K * H);
  copy_channels(*series_, past, series_->channels(), row, T,
                batch.past_history.data() + b * series_->past() * T);
  if (is_whole()) return;
  for (std::size_t c = 0; c < C; ++c) {
    batch.present[b * C + c] = present_[window * C + c];
    if (has(window, c)) continue;
    std::fill_n(batch.history.data() + (b * C + c) * T, T, 0.0f);
    std::fill_n(batch.target.data() + (b * C + c) * H, H, 0.0f);
  }
}

void Windows::gather_series(std::size_t window, std::size_t b, Batch& batch) const {
  const std::size_t K = known_inputs();
  const std::size_t T = lookback_;
  const std::size_t H = horizon_;
  const WindowSize size{T, H, period_};
  const WindowPlace place = panel_->place(window);
  // Past the end of a channel there is nothing: NaN, as in a forecast's future.
  const auto copy_future = [&](std::size_t channel, float* out) {
    const std::span<const float> values = series_->seen(channel);
    const std::size_t at = place.origin - series_->first_row(channel);
    const std::size_t there = std::min(H, values.size() - std::min(at, values.size()));
    std::copy_n(values.data() + std::min(at, values.size()), there, out);
    std::fill_n(out + there, H - there, std::numeric_limits<float>::quiet_NaN());
  };
  pad_history(*series_, place.target, place, size, batch.history.data() + b * T);
  copy_future(place.target, batch.target.data() + b * H);
  for (std::size_t k = 0; k < K; ++k) {
    const std::size_t channel = series_->first_known_of(place.target) + k;
    pad_history(*series_, channel, place, size, batch.known_history.data() + (b * K + k) * T);
    copy_future(channel, batch.known_future.data() + (b * K + k) * H);
  }
}

void Windows::gather_calendars(std::span<const std::uint32_t> windows, Batch& batch) const {
  batch.shape.samples = windows.size();
  gather_side(*series_, history_index_, 0, *this, windows, batch.history_calendars);
  gather_side(*series_, future_index_, lookback_, *this, windows, batch.future_calendars);
}

void require_windows(const Windows& windows, const Series& series, RowRange rows, const char* part,
                     std::size_t lookback, std::size_t horizon) {
  if (windows.size() > 0) return;
  throw make_error(ErrorKind::kData, series.source,
                   "the {} rows {} to {} hold no window: each needs {} of history and {} of future "
                   "without a gap in a target{}",
                   part, rows.begin + 1, rows.end, counted(lookback, "row"), horizon,
                   windows.series().past() > 0 ? ", and its history none in a past column" : "")
      .with(remedy::advice("give more rows"))
      .with(remedy::smaller("lookback", "needs fewer"))
      .with(remedy::smaller("horizon", "needs fewer"))
      .with(remedy::open("fill", "fills the gaps"));
}

}  // namespace pulsecast
