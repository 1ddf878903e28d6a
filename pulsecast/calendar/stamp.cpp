#include "pulsecast/calendar/stamp.h"
#include "pulsecast/calendar/civil.h"

#include <fmt/format.h>

#include <optional>

#include "pulsecast/calendar/named_date.h"
#include "pulsecast/calendar/stamp_cursor.h"
#include "pulsecast/calendar/stamp_date.h"

namespace pulsecast {
namespace {

bool is_digit(char c) { return StampCursor::is_digit(c); }
bool is_blank(char c) { return StampCursor::is_blank(c); }

// Q3 after a year: its first month.
bool take_quarter(StampCursor& cursor, int year, Stamp& stamp) {
  if (!cursor.take('Q') && !cursor.take('q')) return false;
  const auto quarter = cursor.take_number(1, 1);
  if (!quarter || *quarter < 1 || *quarter > 4 || !cursor.at_end()) return false;
  set_date(stamp, Stamp::Form::kYearFirst, year, 3 * *quarter - 2, 1);
  return is_date(year, 3 * *quarter - 2, 1);
}

// 2024-07-01, 2024/7/1, 2024.07.01, 2024-07, 2024Q3, 2024-Q3, 2024 Q3
bool take_year_first(StampCursor& cursor, Stamp& stamp) {
  const auto year = cursor.take_number(4, 4);
  if (year && (cursor.peek() == 'Q' || cursor.peek() == 'q' || is_blank(cursor.peek()))) {
    cursor.skip_blanks();
    return take_quarter(cursor, *year, stamp);
  }
  const char separator = cursor.peek();
  if (!year || (separator != '-' && separator != '/' && separator != '.')) return false;
  cursor.take(separator);
  if (separator == '-' && take_quarter(cursor, *year, stamp)) return true;
  const auto month = cursor.take_number(1, 2);
  if (!month) return false;
  if (separator == '-' && cursor.at_end()) {
    set_date(stamp, Stamp::Form::kYearFirst, *year, *month, 1);
    return is_date(*year, *month, 1);
  }
  if (!cursor.take(separator)) return false;
  const auto day = cursor.take_number(1, 2);
  if (!day || !is_date(*year, *month, *day)) return false;
  set_date(stamp, Stamp::Form::kYearFirst, *year, *month, *day);
  return true;
}

// 20240701 in front of a time
bool take_compact_date(StampCursor& cursor, Stamp& stamp) {
  const auto number = cursor.take_number(8, 8);
  if (!number) return false;
  const int year = *number / 10000;
  const int month = *number / 100 % 100;
  const int day = *number % 100;
  if (!is_date(year, month, day)) return false;
  set_date(stamp, Stamp::Form::kYearFirst, year, month, day);
  return true;
}

// 31/12/2024, 12-31-2024, 31.12.2024
bool take_open_order(StampCursor& cursor, Stamp& stamp) {
  const auto first = cursor.take_number(1, 2);
  const char separator = cursor.peek();
  if (!first || (separator != '-' && separator != '/' && separator != '.')) return false;
  cursor.take(separator);
  const auto second = cursor.take_number(1, 2);
  if (!second || !cursor.take(separator)) return false;
  const auto year = cursor.take_number(4, 4);
  if (!year) return false;
  if (!is_date(*year, *first, *second) && !is_date(*year, *second, *first)) return false;
  set_date(stamp, Stamp::Form::kOpenOrder, *year, *first, *second);
  return true;
}

// "AM" or "PM" after a twelve-hour clock; changes `hour` to 0 .. 23.
bool take_half_day(StampCursor& cursor, int& hour) {
  const bool is_afternoon = cursor.peek() == 'P' || cursor.peek() == 'p';
  cursor.take(cursor.peek());
  if (!cursor.take('M') && !cursor.take('m')) return false;
  if (hour < 1 || hour > 12) return false;
  hour = hour % 12 + (is_afternoon ? 12 : 0);
  return true;
}

// Z, +02:00, +0200, +02
bool take_offset(StampCursor& cursor, Stamp& stamp) {
  stamp.has_offset = true;
  if (cursor.take('Z') || cursor.take('z')) return true;
  const bool is_west = cursor.take('-');
  if (!is_west && !cursor.take('+')) return false;
  int hours = 0;
  int minutes = 0;
  if (cursor.digits_ahead() == 4) {
    const int number = *cursor.take_number(4, 4);
    hours = number / 100;
    minutes = number % 100;
  } else {
    const auto hours_written = cursor.take_number(2, 2);
    if (!hours_written) return false;
    hours = *hours_written;
    if (cursor.take(':')) {
      const auto minutes_written = cursor.take_number(2, 2);
      if (!minutes_written) return false;
      minutes = *minutes_written;
    }
  }
  if (hours > 18 || minutes > 59) return false;
  const int total = hours * 60 + minutes;
  stamp.offset = static_cast<std::int16_t>(is_west ? -total : total);
  return true;
}

// 13:45, 13:45:10, 13:45:10.250, 1:45 PM, 134510, 24:00; then an offset
bool take_time(StampCursor& cursor, Stamp& stamp) {
  int hour = 0;
  int minute = 0;
  int second = 0;
  int thousandth = 0;
  const int digits = cursor.digits_ahead();
  if (digits == 4 || digits == 6) {
    const int number = *cursor.take_number(digits, digits);
    hour = digits == 4 ? number / 100 : number / 10000;
    minute = digits == 4 ? number % 100 : number / 100 % 100;
    second = digits == 4 ? 0 : number % 100;
  } else {
    const auto hour_written = cursor.take_number(1, 2);
    if (!hour_written || !cursor.take(':')) return false;
    const auto minute_written = cursor.take_number(2, 2);
    if (!minute_written) return false;
    hour = *hour_written;
    minute = *minute_written;
    if (cursor.take(':')) {
      const auto second_written = cursor.take_number(2, 2);
      if (!second_written) return false;
      second = *second_written;
      if (cursor.take('.') || cursor.take(',')) {
        const auto fraction = cursor.take_thousandths(stamp.is_cut);
        if (!fraction) return false;
        thousandth = *fraction;
      }
    }
  }
  cursor.skip_blanks();
  if (const char c = cursor.peek(); c == 'A' || c == 'a' || c == 'P' || c == 'p') {
    if (!take_half_day(cursor, hour)) return false;
    cursor.skip_blanks();
  }
  if (minute > 59 || second > 59) return false;
  stamp.thousandths =
      hour * kHourMilliseconds + minute * kMinuteMilliseconds + second * 1000 + thousandth;
  if (stamp.thousandths > kDayMilliseconds) return false;  // 24:00 is the end of the day
  return cursor.at_end() || take_offset(cursor, stamp);
}

bool take_number(StampCursor& cursor, Stamp& stamp) {
  const bool is_negative = cursor.take('-');
  const int digits = cursor.digits_ahead();
  if (digits < 1 || digits > 14) return false;
  std::int64_t whole = 0;
  for (int i = 0; i < digits; ++i) whole = whole * 10 + cursor.take_digit();
  stamp.form = Stamp::Form::kNumber;
  stamp.digits = static_cast<std::uint8_t>(digits);
  stamp.thousandths = whole * 1000;
  if (cursor.take('.')) {
    const auto fraction = cursor.take_thousandths(stamp.is_cut);
    if (!fraction) return false;
    stamp.thousandths += *fraction;
  }
  if (is_negative) stamp.thousandths = -stamp.thousandths;
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_number(std::string_view text) {
  if (text.front() == '-') text.remove_prefix(1);
  bool has_point = false;
  for (const char c : text) {
    if (c == '.' && !has_point) {
      has_point = true;
    } else if (!is_digit(c)) {
      return false;
    }
  }
  return true;
}

bool take_stamp(std::string_view text, Stamp& stamp) {
  StampCursor cursor(text);
  if (is_number(text)) return take_number(cursor, stamp) && cursor.at_end();
  const int digits = cursor.digits_ahead();
  const bool has_date = digits == 4   ? take_year_first(cursor, stamp)
                        : digits == 8 ? take_compact_date(cursor, stamp)
                                      : take_open_order(cursor, stamp);
  if (!has_date) {
    cursor = StampCursor(text);
    if (!take_named_date(cursor, stamp)) return false;
  }
  if (cursor.at_end()) return true;
  if (!cursor.take('T') && !cursor.take('t')) {
    if (!is_blank(cursor.peek())) return false;
    cursor.skip_blanks();
  }
  return take_time(cursor, stamp) && cursor.at_end();
}

}  // namespace

Stamp read_stamp(std::string_view text) {
  text = trimmed(text);
  Stamp stamp;
  if (text.empty()) return stamp;
  if (take_stamp(text, stamp)) return stamp;
  Stamp unreadable;
  unreadable.form = Stamp::Form::kUnreadable;
  return unreadable;
}

std::string to_text(const Stamp& stamp) {
  std::string text;
  switch (stamp.form) {
    case Stamp::Form::kEmpty:
      return "";
    case Stamp::Form::kUnreadable:
      return "?";
    case Stamp::Form::kNumber:
      text = fmt::format("{}{}", stamp.thousandths < 0 ? "-" : "",
                         (stamp.thousandths < 0 ? -stamp.thousandths : stamp.thousandths) / 1000);
      if (stamp.thousandths % 1000 != 0) {
        text += fmt::format(".{:03}", (stamp.thousandths < 0 ? -1 : 1) * stamp.thousandths % 1000);
      }
      return text;
    case Stamp::Form::kYearFirst:
      text = fmt::format("{:04}-{:02}-{:02}", stamp.year, stamp.first, stamp.second);
      break;
    case Stamp::Form::kOpenOrder:
      text = fmt::format("{:02}/{:02}/{:04}", stamp.first, stamp.second, stamp.year);
      break;
  }
  text += fmt::format(" {:02}:{:02}", stamp.thousandths / kHourMilliseconds,
                      stamp.thousandths / kMinuteMilliseconds % 60);
  if (stamp.thousandths % kMinuteMilliseconds != 0) {
    text += fmt::format(":{:02}", stamp.thousandths / 1000 % 60);
  }
  if (stamp.thousandths % 1000 != 0) text += fmt::format(".{:03}", stamp.thousandths % 1000);
  if (stamp.has_offset) {
    const int minutes = stamp.offset < 0 ? -stamp.offset : stamp.offset;
    text += fmt::format("{}{:02}:{:02}", stamp.offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
  }
  return text;
}

}  // namespace pulsecast
