#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "pulsecast/data/doctor/checks.h"

namespace pulsecast {
namespace {

std::uint64_t key(std::size_t row, std::size_t column) {
  return static_cast<std::uint64_t>(row) << 32 | column;
}

void check_faults(const Table& table, std::vector<Finding>& findings) {
  for (const CellFault& fault : table.faults) {
    const bool is_infinite = fault.kind == CellFault::Kind::kInfinite;
    const std::string& name = table.columns[fault.column].name;
    const std::uint64_t line = table.lines[fault.row];
    findings.push_back({is_infinite ? Finding::Kind::kInfiniteCell : Finding::Kind::kUnreadableCell,
                        table.is_long() ? table.series_names[table.series[fault.row]] : "", name,
                        line, line, 1,
                        is_infinite ? fmt::format("'{}' is no finite number", fault.text)
                                    : fmt::format("'{}' is no number", fault.text)});
  }
}

void check_empty(const Table& table, const SeriesRows& series, std::size_t column, Instant end,
                 const std::unordered_set<std::uint64_t>& faulty, std::vector<Finding>& findings) {
  const Column& own = table.columns[column];
  const auto is_empty = [&](std::uint32_t row) {
    const bool is_future = own.role != Role::kKnown && table.stamps[row] > end;
    return std::isnan(own.values[row]) && !is_future && !faulty.contains(key(row, column));
  };
  for (std::size_t i = 0; i < series.rows.size();) {
    if (!is_empty(series.rows[i])) {
      ++i;
      continue;
    }
    std::size_t next = i + 1;
    while (next < series.rows.size() && is_empty(series.rows[next])) ++next;
    findings.push_back({Finding::Kind::kEmptyCells, series.name, own.name,
                        table.lines[series.rows[i]], table.lines[series.rows[next - 1]], next - i,
                        next - i == 1 ? "the cell is empty"
                                      : fmt::format("{} cells in a row are empty", next - i)});
    i = next;
  }
}

}  // namespace

void check_cells(const Table& table, const std::vector<SeriesRows>& all,
                 std::vector<Finding>& findings) {
  check_faults(table, findings);
  std::unordered_set<std::uint64_t> faulty;
  for (const CellFault& fault : table.faults) faulty.insert(key(fault.row, fault.column));
  const Instant end = end_of_past(table);
  for (const SeriesRows& series : all) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      check_empty(table, series, c, end, faulty, findings);
    }
  }
}

}  // namespace pulsecast
