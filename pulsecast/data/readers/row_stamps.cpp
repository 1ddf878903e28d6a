#include "pulsecast/data/readers/row_stamps.h"

#include <algorithm>

#include "pulsecast/base/counted.h"
#include "pulsecast/calendar/stamp_column.h"

namespace pulsecast {
namespace {

RowFault::Kind kind_of(StampFault::Kind kind) {
  switch (kind) {
    case StampFault::Kind::kEmpty:
      return RowFault::Kind::kStampEmpty;
    case StampFault::Kind::kSkippedHour:
      return RowFault::Kind::kSkippedHour;
    case StampFault::Kind::kUnreadable:
      break;
  }
  return RowFault::Kind::kStampUnreadable;
}

}  // namespace

void place_rows_in_time(PackedStamps stamps, const DataSettings& settings, Table& table) {
  StampRules rules{table.zone, std::nullopt};
  if (settings.day_order != DayOrder::kFound) {
    rules.day_first = settings.day_order == DayOrder::kDayFirst;
  }
  StampColumn column = decide_stamps(stamps, table.series, rules, [&](std::size_t row) {
    return Place(table.source).at_line(table.lines[row]);
  });
  stamps = {};
  table.stamps = std::move(column.instants);
  table.shows_wall_clock = column.shows_wall_clock && !settings.time_zone;
  std::string note = column.form;
  if (column.has_offsets) {
    note += settings.time_zone
                ? ", with offsets"
                : ", with offsets; the wall clock is UTC's, since no time zone is given";
  }
  table.notes.push_back(std::move(note));
  if (column.cut_rows > 0) {
    table.notes.push_back(counted(column.cut_rows, "stamp has", "stamps have") +
                          " digits finer than a millisecond, which are cut");
  }
  if (column.faults.empty()) return;
  std::vector<bool> is_removed(table.rows());
  for (StampFault& fault : column.faults) {
    is_removed[fault.row] = true;
    table.row_faults.push_back(
        {table.lines[fault.row], kind_of(fault.kind), std::move(fault.cause)});
  }
  remove_rows(table, is_removed);
  std::stable_sort(table.row_faults.begin(), table.row_faults.end(),
                   [](const RowFault& a, const RowFault& b) { return a.line < b.line; });
}

}  // namespace pulsecast
