// Any bytes as forecasts of another program: a finite value for every window, step and channel, or
// an Error.

#include "pulsecast/evaluate/forecast_file.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>

#include "pulsecast/base/error.h"
#include "pulsecast/data/read_series.h"
#include "pulsecast/testing/memory_file.h"

namespace {

using namespace pulsecast;

// Forty hours of one channel.
Series small_series(ThreadPool& threads) {
  std::string text = "date,c1\n";
  for (int hour = 0; hour < 40; ++hour) {
    text += fmt::format("2024-01-{:02} {:02}:00,{}\n", 1 + hour / 24, hour % 24, hour % 7);
  }
  const testing::MemoryFile file(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  return read_series(file.path(), {}, threads).series;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static ThreadPool threads(1);
  static const Series series = small_series(threads);
  static const Scaler scaler = Scaler::fit(series, {0, 28});
  static const ForecastWindows windows{.series = series,
                                       .scaler = scaler,
                                       .channels = 1,
                                       .horizon = 2,
                                       .first_targets = {32, 33, 38}};
  const testing::MemoryFile file(data, size);
  try {
    const ReadForecasts forecasts(file.path(), windows, threads);
    if (forecasts.unused() > size) std::abort();
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
