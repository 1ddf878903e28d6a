// Rows as a file gives them: stamps, columns of numbers, and a note of every cell that is not one.
//
// Nothing is repaired here and nothing is hidden: a cell without a finite value is NaN in its
// column. It was empty (or held a mark such as NA) unless a CellFault says what else it held. A
// line that could not become a row at all has a RowFault. Stamps are in the file's order, unsorted
// and possibly repeated. The doctor (doctor.h) reads a Table and lists what is wrong; repair.h
// makes a Series.
//
// Wide files have a column per channel. Long files (`unique_id, ds, y`) keep their rows as they
// are too: `series` says whose row it is, and rows of a series are in the file's order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/zone.h"
#include "pulsecast/data/table/column_values.h"
#include "pulsecast/data/table/role.h"

namespace pulsecast {

// A cell that holds something other than a finite number. Empty cells have none: sparse files are
// common, and a note of every empty cell would weigh many times the file.
struct CellFault {
  enum class Kind : std::uint8_t { kUnreadable, kInfinite };
  std::uint32_t row;     // index into Table::stamps
  std::uint32_t column;  // index into Table::columns
  Kind kind;
  std::string text;  // what the cell held, shortened

  friend bool operator==(const CellFault&, const CellFault&) = default;
};

// A line of the file that is in no row of the table.
struct RowFault {
  enum class Kind : std::uint8_t { kCellCount, kStampEmpty, kStampUnreadable, kSkippedHour };
  std::uint64_t line;  // counted from 1
  Kind kind;
  std::string cause;  // a clause that says what was expected and what came

  friend bool operator==(const RowFault&, const RowFault&) = default;
};

struct Column {
  std::string name;
  Role role = Role::kTarget;
  ColumnValues values;  // one per row; NaN where there is no value
};

struct Table {
  std::string source;  // file name, for messages
  Zone zone;
  std::vector<Instant> stamps;       // one per row
  std::vector<std::uint64_t> lines;  // line of the file each row came from, counted from 1
  std::vector<Column> columns;
  std::vector<std::string> series_names;  // of a long file, in order of appearance; else empty
  std::vector<std::uint32_t> series;      // of a long file, one per row: index into series_names
  std::vector<CellFault> faults;          // by row, then column
  std::vector<RowFault> row_faults;       // by line
  // What was decided about the file and is no fault: "separator ';', decimal comma".
  std::vector<std::string> notes;

  std::size_t rows() const { return stamps.size(); }
  bool is_long() const { return !series_names.empty(); }
};

// Takes rows out, with what hangs on them. One flag per row.
void remove_rows(Table& table, const std::vector<bool>& is_removed);

}  // namespace pulsecast
