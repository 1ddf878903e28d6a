#include "pulsecast/train/past_moments.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace pulsecast::train {
namespace {

// Rows that are multiplied in float before their sums go on in double.
constexpr std::size_t kPastRowsAtOnce = 1024;

double mean_of(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

float* copy_without(double mean, std::span<const float> values, float* out) {
  return std::ranges::transform(
             values, out,
             [mean](float value) { return static_cast<float>(static_cast<double>(value) - mean); })
      .out;
}

}  // namespace

WindowMoments past_moments(const Windows& windows, std::size_t c, std::size_t lookback,
                           std::size_t steps, std::span<const double> cycle) {
  const ScaledSeries& series = windows.series();
  const BatchShape shape = windows.shape(1);
  const std::size_t H = shape.horizon;
  const std::size_t skipped = shape.lookback - lookback;
  const std::size_t first_past = series.targets() + series.known();
  const std::size_t width = lookback + series.past() * steps;
  WindowMoments moments(width, H);
  ThreadPool alone(1);  // channels have the others
  std::vector<float> x(kPastRowsAtOnce * width);
  std::vector<float> y(kPastRowsAtOnce * H);
  std::vector<float> rest(lookback + H);
  std::size_t rows = 0;
  const auto add = [&] {
    moments.add_rows(rows, rows, x.data(), y.data(), alone);
    rows = 0;
  };
  for (std::size_t window = 0; window < windows.size(); ++window) {
    if (!windows.has(window, c)) continue;
    const std::size_t row = windows.first_row(window) + skipped;
    std::ranges::copy(series.seen(c).subspan(row, lookback + H), rest.begin());
    if (!cycle.empty()) {
      for (std::size_t i = 0; i < rest.size(); ++i) {
        rest[i] -= static_cast<float>(cycle[static_cast<std::size_t>(series.phases()[row + i])]);
      }
    }
    const std::span<const float> own(rest);
    const double mean = mean_of(own.first(lookback));
    float* to = copy_without(mean, own.first(lookback), x.data() + rows * width);
    copy_without(mean, own.last(H), y.data() + rows * H);
    for (std::size_t p = first_past; p < series.channels(); ++p) {
      const std::span<const float> past = series.channel(p).subspan(row, lookback);
      to = copy_without(mean_of(past), past.last(steps), to);
    }
    if (++rows == kPastRowsAtOnce) add();
  }
  if (rows > 0) add();
  return moments;
}

}  // namespace pulsecast::train
