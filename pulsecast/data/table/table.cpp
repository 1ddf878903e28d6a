#include "pulsecast/data/table/table.h"

#include <algorithm>

namespace pulsecast {
namespace {

void compact(ColumnValues& items, const std::vector<bool>& is_removed) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!is_removed[i]) items[kept++] = items[i];
  }
  items.resize(kept);
}

template <typename T>
void compact(PackedRows<T>& items, const std::vector<bool>& is_removed) {
  PackedRows<T> kept;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!is_removed[i]) kept.push_back(items[i]);
  }
  items = std::move(kept);
}

}  // namespace

const char* name(Role role) {
  switch (role) {
    case Role::kTarget:
      return "target";
    case Role::kKnown:
      return "known";
    case Role::kPast:
      return "past";
    case Role::kIgnored:
      return "ignored";
  }
  return "unknown";
}

void remove_rows(Table& table, const std::vector<bool>& is_removed) {
  std::vector<std::uint32_t> new_row(is_removed.size());
  std::uint32_t kept = 0;
  for (std::size_t row = 0; row < is_removed.size(); ++row) {
    new_row[row] = kept;
    if (!is_removed[row]) ++kept;
  }
  std::erase_if(table.faults, [&](const CellFault& fault) { return is_removed[fault.row]; });
  for (CellFault& fault : table.faults) fault.row = new_row[fault.row];
  compact(table.stamps, is_removed);
  compact(table.lines, is_removed);
  if (!table.series.empty()) compact(table.series, is_removed);
  for (Column& column : table.columns) compact(column.values, is_removed);
}

}  // namespace pulsecast
