#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/doctor/checks.h"

namespace pulsecast {
namespace {

void check_lines(const Table& table, std::vector<Finding>& findings) {
  for (const RowFault& fault : table.row_faults) {
    const bool is_skipped = fault.kind == RowFault::Kind::kSkippedHour;
    findings.push_back({is_skipped ? Finding::Kind::kSkippedHour : Finding::Kind::kUnreadableRow,
                        "", "", fault.line, fault.line, 1, fault.cause});
  }
}

void check_order(const Table& table, const SeriesRows& series, std::vector<Finding>& findings) {
  std::vector<std::size_t> earlier;
  for (std::size_t i = 1; i < series.rows.size(); ++i) {
    if (table.stamps[series.rows[i]] < table.stamps[series.rows[i - 1]]) earlier.push_back(i);
  }
  if (earlier.empty()) return;
  const auto line = [&](std::size_t i) { return table.lines[series.rows[i]]; };
  if (2 * earlier.size() > series.rows.size() - 1) {
    findings.push_back({Finding::Kind::kOutOfOrder, series.name, "", line(0),
                        line(series.rows.size() - 1), earlier.size(),
                        "the rows run from the newest to the oldest"});
    return;
  }
  for (const std::size_t i : earlier) {
    findings.push_back(
        {Finding::Kind::kOutOfOrder, series.name, "", line(i), line(i), 1,
         fmt::format("{} comes after {} (line {})",
                     to_text(table.stamps[series.rows[i]], table.zone),
                     to_text(table.stamps[series.rows[i - 1]], table.zone), line(i - 1))});
  }
}

bool has_same_values(const Table& table, std::size_t a, std::size_t b) {
  return std::all_of(table.columns.begin(), table.columns.end(), [&](const Column& column) {
    const double x = column.values[a];
    const double y = column.values[b];
    return x == y || (std::isnan(x) && std::isnan(y));
  });
}

void check_duplicates(const Table& table, const SeriesRows& series,
                      std::vector<Finding>& findings) {
  std::unordered_map<std::int64_t, std::uint32_t> first_row;
  first_row.reserve(series.rows.size());
  for (const std::uint32_t row : series.rows) {
    const auto [entry, is_new] = first_row.emplace(table.stamps[row].milliseconds, row);
    if (is_new) continue;
    findings.push_back(
        {Finding::Kind::kDuplicateStamp, series.name, "", table.lines[row], table.lines[row], 1,
         fmt::format("{} was in line {} already, with {} values",
                     to_text(table.stamps[row], table.zone), table.lines[entry->second],
                     has_same_values(table, row, entry->second) ? "the same" : "other")});
  }
}

}  // namespace

void check_rows(const Table& table, const std::vector<SeriesRows>& all,
                std::vector<Finding>& findings) {
  check_lines(table, findings);
  for (const SeriesRows& series : all) check_order(table, series, findings);
  for (const SeriesRows& series : all) check_duplicates(table, series, findings);
}

}  // namespace pulsecast
