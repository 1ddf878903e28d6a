// Dates with letters in them: months by name, ISO weeks, quarters.
//
//   Jan 2009   January 2009   März 2009   2009 Jan   2009-Jan   5 Jan 2009   05-Jan-2009   Jan 5,
//   2009 2024-W05   2024W05   2024-W05-3         the Monday of the week, or that day of it 2009-Q1
//   2009Q1    2009 Q1   Q1 2009  the first day of the quarter
//
// They say which part is the month, so nothing is left for the column to decide. Years have four
// digits: 'Jan-09' may be a day or a year.
#pragma once

#include <string_view>

#include "pulsecast/calendar/stamp.h"
#include "pulsecast/calendar/stamp_cursor.h"

namespace pulsecast {

// 1 .. 12 of an English or German name or its first three letters, in any case; 0 of other words.
int month_named(std::string_view word);

// Consumes a date, with what may follow it left. False, and the cursor anywhere, where there is
// none.
bool take_named_date(StampCursor& cursor, Stamp& stamp);

}  // namespace pulsecast
