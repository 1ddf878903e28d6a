// A stamp as a file writes it, before anybody has decided what it means.
//
// "03/04/2024 02:30" is the third of April or the fourth of March, and its half past two may be
// one instant, two or none, depending on the rest of the column and on the zone. So reading is in
// two steps: read_stamp() takes a cell apart without deciding anything, and stamp_column.h decides
// over the whole column. A Stamp is small and owns no memory, because there is one for every row.
//
// Forms that are read:
//   2024-07-01   2024/07/01   20240701   2024-07   2024Q3   year first; a quarter, month or day
//   2024-07-01T13:45:10.250+02:00   2024-07-01 13:45Z       with a time, a fraction and an offset
//   31/12/2024   12/31/2024   31.12.2024 13:45   1/7/2024 1:45 PM     order open until the column
//   Jan 2009   5 Jan 2009   2024-W05   2009-Q1                by name: named_date.h
//   1719835200   1719835200.25   1719835200000              seconds or milliseconds since 1970
//   1998                                                    a year, where all rows are years
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pulsecast {

struct Stamp {
  enum class Form : std::uint8_t {
    kEmpty,
    kUnreadable,
    kYearFirst,  // first is the month, second the day
    kOpenOrder,  // one of first and second is the month, the other the day
    kNumber,     // seconds or milliseconds since 1970, YYYYMMDD or a year
  };

  Form form = Form::kEmpty;
  bool has_offset = false;
  bool is_cut = false;           // digits finer than a millisecond were left off
  std::uint8_t digits = 0;       // kNumber: of its whole part
  std::uint8_t first = 0;        // as written, 1 .. 31
  std::uint8_t second = 0;       // as written, 1 .. 31
  std::int16_t offset = 0;       // minutes east of Greenwich
  std::int32_t year = 0;         // 1 .. 9999
  std::int64_t thousandths = 0;  // since midnight, up to 24 h; kNumber: of the number itself

  friend bool operator==(const Stamp&, const Stamp&) = default;
};

// Takes a cell apart; blanks around it are ignored. Never throws: what cannot be read has the form
// kUnreadable.
Stamp read_stamp(std::string_view text);

// The stamp in words for a message, in the order it was written: "03/04/2024 02:30".
std::string to_text(const Stamp& stamp);

// What read_stamp() takes, for messages.
inline constexpr const char* kStampForms =
    "2024-07-01 13:45, 2024-07-01T13:45:00+02:00, 31/12/2024 13:45 or seconds since 1970";

}  // namespace pulsecast
