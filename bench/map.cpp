// How long a map of anchors takes: t-SNE of 2,000 windows of 7 channels of 96 steps.
//
//   ./dev bench map

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numbers>

#include "bench/timing.h"
#include "pulsecast/base/cpu_type.h"
#include "pulsecast/base/random.h"
#include "pulsecast/report/tsne.h"

namespace {

using namespace pulsecast;

constexpr std::size_t kWindows = 2000, kSize = 7 * 96;

// A cycle at a phase and a level of each window's own, and noise.
std::vector<float> anchors() {
  std::vector<float> points;
  points.reserve(kWindows * kSize);
  for (std::size_t i = 0; i < kWindows; ++i) {
    for (std::size_t d = 0; d < kSize; ++d) {
      const double phase = 2.0 * std::numbers::pi * static_cast<double>(i % 24 + d) / 24.0;
      const double level = std::sin(static_cast<double>(i) / static_cast<double>(kWindows));
      points.push_back(static_cast<float>(std::sin(phase) + level +
                                          0.1 * random::normal({.seed = 1}, i * kSize + d)));
    }
  }
  return points;
}

}  // namespace

int main() {
  const std::vector<float> points = anchors();
  for (const std::size_t threads : {1u, 2u}) {
    ThreadPool pool(threads);
    std::vector<double> seconds;
    for (int round = 0; round < 3; ++round) {
      seconds.push_back(
          pulsecast::bench::seconds_of([&] { report::tsne(points, kWindows, kSize, pool); }));
    }
    std::ranges::sort(seconds);
    fmt::print("t-SNE of {} anchors of {} values, {} thread(s): {:.2f} s, a median of {} on {}\n",
               kWindows, kSize, threads, seconds[1], seconds.size(), cpu_type());
  }
}
