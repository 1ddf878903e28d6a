#include "pulsecast/data/table/table_step.h"

#include <algorithm>

namespace pulsecast {

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

}  // namespace pulsecast
