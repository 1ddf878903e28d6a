#include "pulsecast/data/oddities/stuck_runs.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace pulsecast {
namespace {

constexpr std::size_t kShortest = 12;
constexpr std::size_t kTimesTheRest = 4;  // as long as the longest ordinary run
constexpr std::size_t kMostRuns = 5;
constexpr double kMostRepeats = 0.2;  // of the other values: above it, to stay is usual

// Every run of two equal values or more; missing values do not part them.
std::vector<OddRun> equal_runs(std::span<const double> values) {
  std::vector<OddRun> runs;
  bool is_open = false;
  double before = std::nan("");
  std::size_t last = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    if (values[i] != before) {
      is_open = false;
    } else if (is_open) {
      runs.back().end = i + 1;
      ++runs.back().count;
    } else {
      runs.push_back({OddRun::Kind::kStuck, last, i + 1, 2, values[i]});
      is_open = true;
    }
    before = values[i];
    last = i;
  }
  return runs;
}

}  // namespace

std::vector<OddRun> stuck_runs(std::span<const double> values, double low, double high) {
  std::vector<OddRun> runs = equal_runs(values);
  std::size_t all = 0;
  for (const double value : values) all += std::isnan(value) ? 0 : 1;
  // Codes and far values lie outside; they have been found as what they are.
  std::erase_if(runs, [&](const OddRun& run) { return run.value < low || run.value > high; });
  std::ranges::stable_sort(runs, std::greater<>{}, &OddRun::count);
  std::size_t repeats = 0;
  for (const OddRun& run : runs) repeats += run.count - 1;
  std::size_t stuck = 0;
  for (std::size_t i = 0; i < std::min(kMostRuns, runs.size()); ++i) {
    repeats -= runs[i].count - 1;
    all -= runs[i].count;
    const std::size_t next = i + 1 < runs.size() ? runs[i + 1].count : 1;
    if (runs[i].count < kShortest || all == 0) break;
    if (runs[i].count > kTimesTheRest * next &&
        static_cast<double>(repeats) <= kMostRepeats * static_cast<double>(all)) {
      stuck = i + 1;
    }
  }
  runs.resize(stuck);
  std::erase_if(runs, [&](const OddRun& run) {
    return run.value == 0 || run.value == low || run.value == high;
  });
  return runs;
}

}  // namespace pulsecast
