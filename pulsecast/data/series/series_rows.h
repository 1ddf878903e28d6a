// Which rows of a table belong together: all of a wide table's, each series' of a long one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pulsecast/data/table/table.h"

namespace pulsecast {

struct SeriesRows {
  std::string name;                 // empty for a wide table
  std::vector<std::uint32_t> rows;  // in the file's order
};

// One a series, in the table's order. A series whose every row was taken out has no rows.
std::vector<SeriesRows> rows_by_series(const Table& table);

// The latest stamp at which a target or a past column has a value. Later rows are the future of
// the known columns: targets are not missing there but not yet known. Without known columns there
// is no such future, and this is the end of the calendar.
Instant end_of_past(const Table& table);

}  // namespace pulsecast
