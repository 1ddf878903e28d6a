#include "pulsecast/data/readers/workbook/serial_stamp.h"

#include <cmath>

#include "pulsecast/calendar/instant_text.h"

namespace pulsecast {
namespace {

constexpr double kDayMilliseconds = 86'400'000;
constexpr double kDaysTo1970 = 25569;  // from 1899-12-30
constexpr double kDaysTo1970From1904 = 24107;
constexpr double kLeapDayThatNeverWas = 60;  // 1900-02-29, which Excel took over from Lotus 1-2-3

}  // namespace

StampFormat stamp_format(std::string_view code) {
  StampFormat format;
  bool has_month_or_minute = false;
  for (std::size_t at = 0; at < code.size(); ++at) {
    switch (code[at]) {
      case '"':
        at = code.find('"', at + 1);
        break;
      case '[': {
        // "[h]:mm" is a duration, a number like any other; "[Red]" and "[$EUR-407]" are shown.
        const std::string_view inside = code.substr(at + 1, code.find(']', at) - at - 1);
        if (!inside.empty() && inside.find_first_not_of("hHmMsS") == std::string_view::npos)
          return {};
        at = code.find(']', at);
        break;
      }
      case '\\':
      case '_':
      case '*':
        ++at;  // the next character is shown, or is as wide or repeated
        break;
      case ';':
        return format;  // what follows is for negative numbers
      case 'y':
      case 'Y':
      case 'd':
      case 'D':
        format.has_date = true;
        break;
      case 'h':
      case 'H':
      case 's':
      case 'S':
        format.has_time = true;
        break;
      case 'm':
      case 'M':
        has_month_or_minute = true;
        break;
      case '0':
        format.has_fraction = format.has_fraction || (format.has_time && code[at - 1] == '.');
        break;
      case 'G':
      case 'E':
        if (code.substr(at, 7) == "General") at += 6;
        break;
      default:
        break;
    }
    if (at == std::string_view::npos) break;
  }
  if (has_month_or_minute && !format.has_time) format.has_date = true;
  return format;
}

StampFormat built_in_stamp_format(int number) {
  const bool is_date = (number >= 14 && number <= 17) || (number >= 27 && number <= 31) ||
                       number == 36 || (number >= 50 && number <= 58);
  const bool is_time = (number >= 18 && number <= 21) || (number >= 32 && number <= 35) ||
                       number == 45 || number == 47;
  const bool is_both = number == 22;
  return {is_date || is_both, is_time || is_both, number == 47};
}

std::optional<std::string> serial_stamp(double days, StampFormat format, bool counts_from_1904) {
  constexpr double kMostDays = 1e7;  // far past what the calendar covers
  if (!(days >= 0) || days > kMostDays) return std::nullopt;
  const double unit = format.has_fraction ? 1 : 1000;
  double milliseconds = std::round(days * kDayMilliseconds / unit) * unit;
  const bool is_time_of_day = !format.has_date && milliseconds < kDayMilliseconds;
  const bool is_whole_day = std::fmod(milliseconds, kDayMilliseconds) == 0;
  double days_to_1970 = counts_from_1904 ? kDaysTo1970From1904 : kDaysTo1970;
  if (!counts_from_1904 && days < kLeapDayThatNeverWas) days_to_1970 -= 1;
  milliseconds -= days_to_1970 * kDayMilliseconds;
  const Instant instant{static_cast<std::int64_t>(milliseconds)};
  if (instant > kLatestInstant) return std::nullopt;
  const std::string text = to_text(instant, Zone());
  if (is_time_of_day) return text.substr(11);
  return !format.has_time && is_whole_day ? text.substr(0, 10) : text;
}

}  // namespace pulsecast
