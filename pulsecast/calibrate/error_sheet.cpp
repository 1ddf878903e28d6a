#include "pulsecast/calibrate/error_sheet.h"

#include <algorithm>

#include "pulsecast/base/arena.h"
#include "pulsecast/data/windows/batcher.h"

namespace pulsecast::calibrate {
namespace {

constexpr std::size_t kMostErrors = std::size_t{1} << 24;
constexpr std::size_t kLeastWindows = 400;  // that a range of 99 percent takes twice

std::size_t stride_of(std::size_t windows, std::size_t values) {
  const std::size_t most = std::max(kLeastWindows, kMostErrors / values);
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

}  // namespace

ErrorSheet collect_errors(const Windows& windows, std::size_t period, std::size_t batch,
                          const BatchForecaster& forecast, ThreadPool& pool, const Watch& watch) {
  const BatchShape one = windows.shape(1);
  const std::size_t C = one.channels;
  const std::size_t H = one.horizon;
  const std::size_t stride = stride_of(windows.size(), C * H);
  const std::vector<std::uint32_t> numbers = chosen_windows(windows.size(), stride);
  const std::size_t n = numbers.size();
  ErrorSheet sheet{n, C, H, stride, {}, {}, {}, {}};
  sheet.errors.resize(C * n * H);
  sheet.looks.resize(C * n);
  sheet.present.assign(C * n, 1);
  sheet.phases.resize(n * H);
  const std::size_t recent = recent_steps(one.lookback, period);
  const std::size_t at_once = std::min(batch, std::max<std::size_t>(1, n));
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
        sheet.looks[c * n + window] = look_back(gathered, b, c, recent);
        const float* said = made.values.data() + (b * C + c) * H;
        const float* came = gathered.target.data() + (b * C + c) * H;
        float* out = sheet.errors.data() + (c * n + window) * H;
        for (std::size_t h = 0; h < H; ++h) out[h] = came[h] - said[h];
      }
    });
    done += some.size();
    watch.advance("calibration", done, n);
  }
  return sheet;
}

}  // namespace pulsecast::calibrate
