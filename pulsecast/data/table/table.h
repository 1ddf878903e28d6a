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
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/base/packed_integers.h"
#include "pulsecast/calendar/packed_stamps.h"
#include "pulsecast/calendar/zone.h"
#include "pulsecast/data/table/column_values.h"
#include "pulsecast/data/table/role.h"
#include "pulsecast/data/table/static_column.h"

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

// A column that holds text where numbers were wanted. It has no values.
struct TextColumn {
  std::string name;
  std::size_t cells;         // that hold text
  std::string example;       // what the first of them holds, shortened
  std::uint64_t first_line;  // its line

  friend bool operator==(const TextColumn&, const TextColumn&) = default;
};

// Columns that make a wide table's rows those of many series: its stamps repeat, once for each
// value of `id` (several columns: with commas between them).
struct LongColumns {
  std::string id;
  std::vector<std::string> values;  // columns that may hold the values

  friend bool operator==(const LongColumns&, const LongColumns&) = default;
};

// What a reader found out that settings could have said, so that new rows are read the same way.
struct FoundReading {
  std::optional<std::string> time_column;
  std::optional<std::string> id_column;  // the layout is long
  std::optional<std::string> value_column;
  std::optional<std::string> time_zone;  // of stamps that carry one
};

struct Column {
  std::string name;
  Role role = Role::kTarget;
  ColumnValues values;  // one per row; NaN where there is no value
};

struct Table {
  std::string source;  // file name, for messages
  Zone zone;
  // Of a long file there is one of these for each value, so they are packed.
  PackedInstants stamps;            // one per row
  PackedRows<std::uint64_t> lines;  // line of the file each row came from, counted from 1
  std::vector<Column> columns;
  std::vector<std::string> series_names;  // of a long file, in order of appearance; else empty
  PackedRows<std::uint32_t> series;       // of a long file, one per row: index into series_names
  std::string value_column;               // of a long file: the column that a series is named for
  std::vector<StaticColumn> statics;      // a value a series; of a wide file all that it says
  std::vector<TextColumn> text_columns;
  std::optional<LongColumns> likely_long;  // of a wide table that is probably long
  // Stamps that have neither offset nor zone: what a wall clock showed, read as UTC.
  bool shows_wall_clock = false;
  FoundReading found;
  std::vector<CellFault> faults;     // by row, then column
  std::vector<RowFault> row_faults;  // by line
  // What was decided about the file and is no fault: "separator ';', decimal comma".
  std::vector<std::string> notes;

  std::size_t rows() const { return stamps.size(); }
  bool is_long() const { return !series_names.empty(); }
};

// Takes rows out, with what hangs on them. One flag per row.
void remove_rows(Table& table, const std::vector<bool>& is_removed);

}  // namespace pulsecast
