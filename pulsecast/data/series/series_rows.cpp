#include "pulsecast/data/series/series_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pulsecast {

std::vector<SeriesRows> rows_by_series(const Table& table) {
  if (!table.is_long()) {
    std::vector<SeriesRows> all(1);
    all[0].rows.resize(table.rows());
    std::iota(all[0].rows.begin(), all[0].rows.end(), 0U);
    return all;
  }
  std::vector<SeriesRows> all(table.series_names.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i].name = table.series_names[i];
  std::vector<std::size_t> counts(all.size());
  for (const std::uint32_t series : table.series) ++counts[series];
  for (std::size_t i = 0; i < all.size(); ++i) all[i].rows.reserve(counts[i]);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    all[table.series[row]].rows.push_back(static_cast<std::uint32_t>(row));
  }
  return all;
}

Instant end_of_past(const Table& table) {
  const bool has_known = std::any_of(table.columns.begin(), table.columns.end(),
                                     [](const Column& c) { return c.role == Role::kKnown; });
  if (!has_known) return kLatestInstant;
  Instant last = kEarliestInstant;
  for (const Column& column : table.columns) {
    if (column.role == Role::kKnown) continue;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      if (!std::isnan(column.values[row])) last = std::max(last, table.stamps[row]);
    }
  }
  return last;
}

}  // namespace pulsecast
