#include "pulsecast/data/windows/series_windows.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

constexpr std::size_t kFewestRows = 8;

// Calls visit(from, to) for every stretch of rows in which the target and its known channels have
// values. Where they go on past the last target, the known ones do not count.
template <typename Visit>
void for_each_stretch(const ScaledSeries& series, std::size_t target, Visit&& visit) {
  const std::span<const float> values = series.channel(target);
  const std::size_t begin = series.first_row(target);
  const auto is_there = [&](std::size_t row) {
    if (std::isnan(values[row - begin])) return false;
    for (std::size_t k = 0; k < series.known_of_each(); ++k) {
      const std::size_t c = series.first_known_of(target) + k;
      const std::size_t first = series.first_row(c);
      if (row < first || row - first >= series.channel(c).size()) return false;
      if (std::isnan(series.channel(c)[row - first])) return false;
    }
    return true;
  };
  const std::size_t end = begin + values.size();
  for (std::size_t row = begin; row < end; ++row) {
    if (!is_there(row)) continue;
    const std::size_t from = row;
    while (row < end && is_there(row)) ++row;
    visit(from, row);
  }
}

std::uint32_t number_of(std::size_t value) { return static_cast<std::uint32_t>(value); }

}  // namespace

std::size_t enough_history(const WindowSize& size) {
  return std::min(size.lookback, std::max(size.period, kFewestRows));
}

SeriesWindows::SeriesWindows(const ScaledSeries& series, const WindowSize& size,
                             std::span<const RowRange> parts, bool history_inside,
                             std::size_t most) {
  assert(parts.size() == series.targets() && series.lead() >= size.lookback);
  const std::size_t enough = enough_history(size);
  struct Origins {
    Run run;
    std::size_t last;
  };
  std::vector<Origins> all;
  std::size_t count = 0;
  for (std::size_t target = 0; target < parts.size(); ++target) {
    const RowRange part{series.lead() + parts[target].begin, series.lead() + parts[target].end};
    for_each_stretch(series, target, [&](std::size_t from, std::size_t to) {
      if (history_inside) from = std::max(from, part.begin);
      const std::size_t first = std::max(from + enough, part.begin);
      const std::size_t end = std::min(to, part.end);
      if (first + size.horizon > end) return;
      all.push_back(
          {{number_of(target), number_of(from), number_of(first), 0}, end - size.horizon});
      count += end - size.horizon - first + 1;
    });
  }
  if (count > std::numeric_limits<std::uint32_t>::max()) {
    throw make_error(ErrorKind::kData, "windows", "there are {} windows, more than can be numbered",
                     count)
        .with(remedy::open("resample", "makes fewer rows of them"));
  }
  stride_ = most == 0 ? 1 : std::max<std::size_t>(1, (count + most - 1) / most);
  std::size_t number = 0;
  for (Origins& origins : all) {
    Run run = origins.run;
    while (first_of_.size() <= run.target) first_of_.push_back(number_of(number));
    const std::size_t windows = (origins.last - run.first_origin) / stride_ + 1;
    run.first_origin = number_of(origins.last - (windows - 1) * stride_);
    run.first_window = number_of(number);
    number += windows;
    runs_.push_back(run);
  }
  while (first_of_.size() <= series.targets()) first_of_.push_back(number_of(number));
}

SeriesWindows SeriesWindows::at_ends(const ScaledSeries& series) {
  SeriesWindows windows;
  for (std::size_t target = 0; target < series.targets(); ++target) {
    const std::uint32_t number = number_of(windows.runs_.size());
    windows.first_of_.push_back(number);
    std::size_t last_from = 0;
    std::size_t origin = 0;
    for_each_stretch(series, target, [&](std::size_t from, std::size_t to) {
      last_from = from;
      origin = to;
    });
    if (origin == 0) continue;
    windows.runs_.push_back({number_of(target), number_of(last_from), number_of(origin), number});
  }
  windows.first_of_.push_back(number_of(windows.runs_.size()));
  return windows;
}

WindowPlace SeriesWindows::place(std::size_t window) const {
  const auto after = std::ranges::upper_bound(runs_, window, {}, &Run::first_window);
  const Run& run = *std::prev(after);
  return {run.target, run.first_origin + (window - run.first_window) * stride_, run.from};
}

void pad_history(const ScaledSeries& series, std::size_t channel, const WindowPlace& place,
                 const WindowSize& size, float* out) {
  const std::size_t T = size.lookback;
  const std::size_t begin = place.origin - T;
  const std::size_t from = std::max(begin, place.from);
  const std::size_t there = place.origin - from;
  const std::size_t missing = from - begin;
  std::copy_n(series.seen(channel).data() + (from - series.first_row(channel)), there,
              out + missing);
  if (missing == 0) return;
  if (there >= size.period && size.period > 1) {
    for (std::size_t t = missing; t-- > 0;) out[t] = out[t + size.period];
  } else {
    const float mean = std::accumulate(out + missing, out + T, 0.0f) / static_cast<float>(there);
    std::fill_n(out, missing, mean);
  }
}

}  // namespace pulsecast
