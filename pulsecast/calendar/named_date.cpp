#include "pulsecast/calendar/named_date.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "pulsecast/calendar/stamp_date.h"

namespace pulsecast {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};

// Names of German months that are not written as in English.
struct NamedMonth {
  std::string_view name;
  int month;
};
constexpr std::array<NamedMonth, 14> kOtherNames = {{{"sept", 9},
                                                     {"januar", 1},
                                                     {"februar", 2},
                                                     {"m\xC3\xA4r", 3},
                                                     {"m\xC3\xA4rz", 3},
                                                     {"mrz", 3},
                                                     {"maerz", 3},
                                                     {"mai", 5},
                                                     {"juni", 6},
                                                     {"juli", 7},
                                                     {"okt", 10},
                                                     {"oktober", 10},
                                                     {"dez", 12},
                                                     {"dezember", 12}}};

// What may stand between the parts of a date: '-', '/', '.', ',' and blanks.
void skip_between(StampCursor& cursor) {
  for (cursor.skip_blanks(); !cursor.at_end(); cursor.skip_blanks()) {
    if (!cursor.take('-') && !cursor.take('/') && !cursor.take('.') && !cursor.take(',')) return;
  }
}

bool put(Stamp& stamp, int year, int month, int day) {
  if (!is_date(year, month, day)) return false;
  set_date(stamp, Stamp::Form::kYearFirst, year, month, day);
  return true;
}

// The Monday of week 1 is that of the week with the fourth of January.
bool put_week(Stamp& stamp, int year, int week, int day) {
  if (year < 1 || week < 1 || week > 53 || day < 1 || day > 7) return false;
  WallTime fourth;
  fourth.year = year;
  fourth.month = 1;
  fourth.day = 4;
  fourth = days_later(fourth, 0);  // with its weekday
  const WallTime found =
      days_later(fourth, std::int64_t{week - 1} * 7 + (day - 1) - fourth.weekday);
  // Most years have 52 weeks: the Thursday of the 53rd is then in the next year.
  if (days_later(found, 4 - day).year != year) return false;
  return put(stamp, found.year, found.month, found.day);
}

bool put_quarter(Stamp& stamp, int year, int quarter) {
  return quarter >= 1 && quarter <= 4 && put(stamp, year, 3 * quarter - 2, 1);
}

bool take_week(StampCursor& cursor, Stamp& stamp, int year) {
  const std::optional<int> week = cursor.take_number(2, 2);
  if (!week) return false;
  int day = 1;
  if (cursor.take('-')) day = cursor.take_number(1, 1).value_or(0);
  return put_week(stamp, year, *week, day);
}

// What follows a year.
bool take_after_year(StampCursor& cursor, Stamp& stamp, int year) {
  skip_between(cursor);
  const std::string_view word = cursor.take_letters();
  if (word == "W" || word == "w") return take_week(cursor, stamp, year);
  if (word == "Q" || word == "q") {
    return put_quarter(stamp, year, cursor.take_number(1, 1).value_or(0));
  }
  const int month = month_named(word);
  if (month == 0) return false;
  if (cursor.at_end()) return put(stamp, year, month, 1);
  skip_between(cursor);
  return put(stamp, year, month, cursor.take_number(1, 2).value_or(0));
}

// What follows a month's name: a year, or a day and a year.
bool take_after_month(StampCursor& cursor, Stamp& stamp, int month) {
  skip_between(cursor);
  int day = 1;
  if (cursor.digits_ahead() != 4) {
    day = cursor.take_number(1, 2).value_or(0);
    skip_between(cursor);
  }
  return put(stamp, cursor.take_number(4, 4).value_or(0), month, day);
}

}  // namespace

int month_named(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  const auto other = std::ranges::find(kOtherNames, lower, &NamedMonth::name);
  if (other != kOtherNames.end()) return other->month;
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (lower == kMonths[i] || lower == kMonths[i].substr(0, 3)) return static_cast<int>(i) + 1;
  }
  return 0;
}

bool take_named_date(StampCursor& cursor, Stamp& stamp) {
  if (const int digits = cursor.digits_ahead(); digits == 4) {
    const int year = *cursor.take_number(4, 4);
    return take_after_year(cursor, stamp, year);
  } else if (digits > 0) {
    const int day = cursor.take_number(1, 2).value_or(0);
    skip_between(cursor);
    const int month = month_named(cursor.take_letters());
    skip_between(cursor);
    return month > 0 && put(stamp, cursor.take_number(4, 4).value_or(0), month, day);
  }
  const std::string_view word = cursor.take_letters();
  if (word == "Q" || word == "q") {
    const int quarter = cursor.take_number(1, 1).value_or(0);
    skip_between(cursor);
    return put_quarter(stamp, cursor.take_number(4, 4).value_or(0), quarter);
  }
  const int month = month_named(word);
  return month > 0 && take_after_month(cursor, stamp, month);
}

}  // namespace pulsecast
