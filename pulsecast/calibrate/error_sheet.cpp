#include "pulsecast/calibrate/error_sheet.h"

#include <algorithm>

#include "pulsecast/base/arena.h"
#include "pulsecast/data/windows/batcher.h"

namespace pulsecast::calibrate {
namespace {

constexpr std::size_t kLeastWindows = 400;  // that a range of 99 percent takes twice

// values: errors of a window.
std::size_t stride_of(std::size_t windows, std::size_t values, std::size_t most_errors) {
  const std::size_t most = std::max(kLeastWindows, most_errors / values);
  return std::max<std::size_t>(1, (windows + most - 1) / most);
}

// Evenly spread, the newest among them.
std::vector<std::uint32_t> chosen_windows(std::size_t windows, std::size_t stride) {
  std::vector<std::uint32_t> numbers;
  for (std::size_t left = windows; left > 0; left -= std::min(left, stride)) {
    numbers.push_back(static_cast<std::uint32_t>(left - 1));
  }
  std::ranges::reverse(numbers);
  return numbers;
}

// Rows [begin, end) of each channel of (C, windows, width).
template <typename Value>
std::vector<Value> rows_of(const std::vector<Value>& all, const ErrorSheet& sheet,
                           std::size_t width, std::size_t begin, std::size_t end) {
  std::vector<Value> some;
  if (all.empty()) return some;
  some.reserve(sheet.channels * (end - begin) * width);
  for (std::size_t c = 0; c < sheet.channels; ++c) {
    const auto own =
        std::span(all).subspan((c * sheet.windows + begin) * width, (end - begin) * width);
    some.insert(some.end(), own.begin(), own.end());
  }
  return some;
}

}  // namespace

ErrorSheet ErrorSheet::part(std::size_t begin, std::size_t end) const {
  ErrorSheet some{end - begin, channels, horizon, stride, {}, {}, {}, {}, recent, {}, {}};
  some.errors = rows_of(errors, *this, horizon, begin, end);
  some.looks = rows_of(looks, *this, 1, begin, end);
  some.present = rows_of(present, *this, 1, begin, end);
  some.cycles = rows_of(cycles, *this, recent, begin, end);
  some.forecasts = rows_of(forecasts, *this, horizon, begin, end);
  const auto own = std::span(phases).subspan(begin * horizon, (end - begin) * horizon);
  some.phases.assign(own.begin(), own.end());
  return some;
}

ErrorSheet collect_errors(const Windows& windows, const SheetPlan& plan,
                          const BatchForecaster& forecast, ThreadPool& pool, const Watch& watch) {
  const BatchShape one = windows.shape(1);
  const std::size_t C = one.channels;
  const std::size_t H = one.horizon;
  const std::size_t stride = stride_of(windows.size(), C * H, plan.most_errors);
  const std::vector<std::uint32_t> numbers = chosen_windows(windows.size(), stride);
  const std::size_t n = numbers.size();
  const std::size_t recent = recent_steps(one.lookback, plan.period);
  ErrorSheet sheet{n, C, H, stride, {}, {}, {}, {}, recent, {}, {}};
  sheet.errors.resize(C * n * H);
  sheet.looks.resize(C * n);
  sheet.present.assign(C * n, 1);
  sheet.phases.resize(n * H);
  if (plan.of == SheetOf::kOutlooks) {
    sheet.cycles.resize(C * n * recent);
    sheet.forecasts.resize(C * n * H);
  }
  const std::size_t at_once = std::min(plan.batch, std::max<std::size_t>(1, n));
  Batcher batcher(windows, at_once, pool);
  Arena arena;
  const Forecast memory = allocate_forecast(windows.shape(at_once), arena);
  for (std::size_t done = 0; done < n;) {
    const auto some = std::span(numbers).subspan(done, std::min(at_once, n - done));
    const Batch& gathered = batcher.gather(some);
    Forecast made = memory;
    made.samples = some.size();
    made.values = memory.values.first(some.size() * C * H);
    forecast(gathered, made);
    pool.run(some.size(), [&](std::size_t b, std::size_t) {
      const std::size_t window = done + b;
      std::ranges::copy(gathered.future_phase.subspan(b * H, H),
                        sheet.phases.begin() + static_cast<std::ptrdiff_t>(window * H));
      for (std::size_t c = 0; c < C; ++c) {
        if (!gathered.present.empty() && gathered.present[b * C + c] == 0) {
          sheet.present[c * n + window] = 0;
          continue;
        }
        const std::size_t at = c * n + window;
        const Outlook seen = outlook(gathered, made, b, c, recent);
        sheet.looks[at] = seen.look;
        const float* came = gathered.target.data() + (b * C + c) * H;
        float* out = sheet.errors.data() + at * H;
        for (std::size_t h = 0; h < H; ++h) out[h] = came[h] - seen.forecast[h];
        if (sheet.forecasts.empty()) continue;
        std::ranges::copy(seen.cycle, sheet.cycles.data() + at * recent);
        std::ranges::copy(seen.forecast, sheet.forecasts.data() + at * H);
      }
    });
    done += some.size();
    watch.advance("calibration", done, n);
  }
  return sheet;
}

}  // namespace pulsecast::calibrate
