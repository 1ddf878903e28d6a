#include "pulsecast/data/table/table_step.h"

#include <algorithm>
#include <array>

namespace pulsecast {
namespace {

constexpr double kMostRows = 0.5;
constexpr std::array<const char*, 24> kRoundSteps = {
    "100ms", "200ms", "500ms", "1s", "2s", "5s", "10s", "15s", "30s", "1min", "2min", "5min",
    "10min", "15min", "30min", "1h", "2h", "3h", "6h",  "12h", "1d",  "7d",   "1mo",  "3mo"};

}  // namespace

std::optional<Frequency> step_of(const Table& table, const std::vector<SeriesRows>& all) {
  const auto longest = std::max_element(
      all.begin(), all.end(),
      [](const SeriesRows& a, const SeriesRows& b) { return a.rows.size() < b.rows.size(); });
  if (longest == all.end()) return std::nullopt;
  std::vector<Instant> stamps;
  stamps.reserve(longest->rows.size());
  for (const std::uint32_t row : longest->rows) stamps.push_back(table.stamps[row]);
  return infer_frequency(stamps, table.zone);
}

Step resample_step(const Table& table, const std::vector<SeriesRows>& all) {
  const std::optional<Frequency> frequency = step_of(table, all);
  if (frequency && frequency->agreement() >= kMostRows) return frequency->step;
  std::vector<std::int64_t> distances;
  for (const SeriesRows& series : all) {
    for (std::size_t i = 1; i < series.rows.size(); ++i) {
      const std::int64_t distance =
          table.stamps[series.rows[i]].milliseconds - table.stamps[series.rows[i - 1]].milliseconds;
      if (distance > 0) distances.push_back(distance);
    }
  }
  if (distances.empty()) return frequency ? frequency->step : Step();
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::ranges::nth_element(distances, middle);
  // A little below the median still has a row in most steps.
  const double wanted = 0.9 * static_cast<double>(*middle);
  for (const char* text : kRoundSteps) {
    const Step step = Step::parse(text);
    if (step.mean_milliseconds() >= wanted) return step;
  }
  return Step::parse(kRoundSteps.back());
}

}  // namespace pulsecast
