// Dates and times of a workbook: numbers of days that a format shows as a stamp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pulsecast {

// What a number format shows of a stamp; nothing where it shows a number.
struct StampFormat {
  bool has_date = false;
  bool has_time = false;
  bool has_fraction = false;  // of a second

  bool is_stamp() const { return has_date || has_time; }
};

// A format's code, such as "yyyy-mm-dd hh:mm" or `#,##0.00 "kWh"`.
StampFormat stamp_format(std::string_view code);

// One of those that every workbook has, by number.
StampFormat built_in_stamp_format(int number);

// "2024-07-01 13:45:00"; a date or a time of day alone where format and number have no more;
// nothing where no calendar has that day. Times are rounded to the second unless the format shows
// more of it, as a spreadsheet does: sums of hours are never quite whole.
std::optional<std::string> serial_stamp(double days, StampFormat format, bool counts_from_1904);

}  // namespace pulsecast
