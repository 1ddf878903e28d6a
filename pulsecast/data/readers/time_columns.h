// Which column of a file holds the stamps, or which columns hold their parts.
//
//   one column       named like time and holding stamps, else the first that holds dates. Of
//                    several the one with the most distinct stamps: beside `date`, `ts` tells the
//                    hour. The others are left out
//   date and time    a column of dates without a time beside one of times (17:24, 18.00.00), or
//                    beside one of hours (`hour` of 0 to 24) where dates repeat
//   parts            columns named year, month, day, hour, minute, as far as they go; or year, week
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pulsecast/data/readers/sample_columns.h"

namespace pulsecast {

// A cell as a part of a stamp's text: "2024-07-01" and "13" are "2024-07-01" and " 13:00".
struct TimePart {
  enum class Kind { kDate, kClock, kHour, kYear, kMonth, kWeek, kDay, kMinute };
  std::size_t column;  // of the file
  Kind kind;
};

struct TimeColumns {
  std::vector<TimePart> parts;      // in the order of a stamp's text; empty: no column has stamps
  std::vector<std::size_t> others;  // that hold stamps too
};

TimeColumns find_time_columns(const SampleColumns& columns);

// The text of a stamp from its parts, cell by cell: cells (parts).
void join_time_parts(const std::vector<TimePart>& parts, const std::vector<std::string>& cells,
                     std::string& text);

}  // namespace pulsecast
