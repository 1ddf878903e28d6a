// A chunk of delimited text as rows: the part of reading that chunks do at the same time.
//
// Everything here counts from the start of the chunk; delimited_reader.cpp puts blocks one after
// another and adds what came before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/calendar/stamp.h"
#include "pulsecast/data/readers/column_plan.h"
#include "pulsecast/data/readers/dialect.h"
#include "pulsecast/data/readers/labels.h"
#include "pulsecast/data/table/table.h"

namespace pulsecast {

struct RowBlock {
  std::vector<double> values;        // [row][value column]; may be longer than the rows need
  std::vector<Stamp> stamps;         // one per row, where the plan has a time column
  std::vector<std::uint64_t> lines;  // one per row, counted from 0 at the chunk's start
  std::vector<Labels> labels;        // one per label of the plan
  std::vector<CellFault> faults;
  std::vector<RowFault> row_faults;
  std::uint64_t line_count = 0;
  std::size_t dressed = 0;  // numbers with thousands marks, signs of currency and the like
  // Rows at the end that are blank lines, of a file without stamps: there a blank line is a row
  // without values, or nothing at all when only blank lines follow.
  std::size_t trailing_blank_rows = 0;

  std::size_t rows() const { return lines.size(); }
};

// `chunk` holds whole records and ends with '\n'; see RecordStream. What `block` held is lost; its
// memory is used again.
void parse_rows(std::string_view chunk, const Dialect& dialect, const ColumnPlan& plan,
                RowBlock& block);

}  // namespace pulsecast
