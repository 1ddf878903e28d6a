// Any bytes as forecasts of another program: a finite value for every window, step and channel, or
// an Error.

#include "pulsecast/benchmark/forecast_file.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>

#include "pulsecast/base/error.h"
#include "pulsecast/data/read_series.h"
#include "pulsecast/testing/memory_file.h"

namespace {

using namespace pulsecast;

// Forty hours of one channel, of which eight are for test.
Series small_series(ThreadPool& threads) {
  std::string text = "date,c1\n";
  for (int hour = 0; hour < 40; ++hour) {
    text += fmt::format("2024-01-{:02} {:02}:00,{}\n", 1 + hour / 24, hour % 24, hour % 7);
  }
  const testing::MemoryFile file(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  return read_series(file.path(), {}, threads).series;
}

Settings small_settings() {
  Settings settings;
  settings.data.lookback = "4";
  settings.data.horizon = "2";
  settings.data.split = "0.7,0.1,0.2";
  settings.data.period = 4;
  return settings;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static ThreadPool threads(1);
  static const Series series = small_series(threads);
  static const benchmark::TestRows rows(series, train::make_plan(series, small_settings()));
  const testing::MemoryFile file(data, size);
  try {
    const benchmark::ReadForecasts forecasts(file.path(), rows, threads);
    if (forecasts.unused() > size) std::abort();
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
