#include "pulsecast/data/readers/time_columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>

#include "pulsecast/calendar/named_date.h"
#include "pulsecast/calendar/stamp.h"

namespace pulsecast {
namespace {

using Kind = TimePart::Kind;

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

bool is_one_of(const std::string& name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), lower(name)) != names.end();
}

bool is_named_like_time(const std::string& name) {
  return is_one_of(name, {"date", "ds", "time", "timestamp", "datetime", "date_time", "date time",
                          "utc_timestamp", "ts", "utc", "local_time", "epoch"});
}

bool is_stamp(const std::string& cell) {
  const Stamp::Form form = read_stamp(cell).form;
  return form != Stamp::Form::kUnreadable && form != Stamp::Form::kEmpty;
}

bool is_date(const std::string& cell) {
  const Stamp::Form form = read_stamp(cell).form;
  return form == Stamp::Form::kYearFirst || form == Stamp::Form::kOpenOrder;
}

bool is_date_alone(const std::string& cell) {
  const Stamp stamp = read_stamp(cell);
  const bool is_compact = stamp.form == Stamp::Form::kNumber && stamp.digits == 8;
  return is_compact || (is_date(cell) && stamp.thousandths == 0 &&
                        cell.find(':') == std::string::npos && !stamp.has_offset);
}

// "18.00.00" as "18:00:00"; "18.00" is a number.
std::string clock_text(std::string_view cell) {
  std::string text(cell);
  if (std::count(text.begin(), text.end(), '.') == 2 && text.find(':') == std::string::npos) {
    std::replace(text.begin(), text.end(), '.', ':');
  }
  return text;
}

bool is_clock(const std::string& cell) {
  const std::string text = clock_text(cell);
  return text.find(':') != std::string::npos && text.find(':') < 3 && is_date("2000-01-01 " + text);
}

std::optional<int> whole_number(const std::string& cell) {
  int value = 0;
  const auto [end, status] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (status != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

auto is_between(int least, int most) {
  return [=](const std::string& cell) {
    const std::optional<int> value = whole_number(cell);
    return value && *value >= least && *value <= most;
  };
}

std::size_t distinct(const SampleColumns& columns, std::size_t column) {
  const std::vector<std::string> cells = columns.cells(column);
  return std::set<std::string>(cells.begin(), cells.end()).size();
}

// Columns that hold stamps, those named so first.
std::vector<std::size_t> stamp_columns(const SampleColumns& columns) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (columns.has_header() && is_named_like_time(columns.name(i)) &&
        columns.share(i, is_stamp) >= 0.5) {
      found.push_back(i);
    }
  }
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (columns.share(i, is_date) > 0.5 && std::ranges::count(found, i) == 0) found.push_back(i);
  }
  return found;
}

std::optional<TimePart> time_of_day(const SampleColumns& columns, std::size_t date) {
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (i != date && columns.share(i, is_clock) > 0.9) return TimePart{i, Kind::kClock};
  }
  if (distinct(columns, date) == columns.cells(date).size()) return std::nullopt;
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (i != date && is_one_of(columns.name(i), {"hour", "hr", "hh", "hours", "stunde"}) &&
        columns.share(i, is_between(0, 24)) == 1) {
      return TimePart{i, Kind::kHour};
    }
  }
  return std::nullopt;
}

struct NamedPart {
  Kind kind;
  std::initializer_list<std::string_view> names;
  int least;
  int most;
};

bool is_part(const NamedPart& part, const std::string& cell) {
  return is_between(part.least, part.most)(cell) ||
         (part.kind == Kind::kMonth && month_named(cell) > 0);
}

std::optional<TimePart> column_of(const SampleColumns& columns, const NamedPart& part) {
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (columns.has_header() && is_one_of(columns.name(i), part.names) &&
        columns.share(i, [&](const std::string& cell) { return is_part(part, cell); }) == 1) {
      return TimePart{i, part.kind};
    }
  }
  return std::nullopt;
}

// A year, and whatever follows it without a break: a month and so on, or an ISO week.
std::vector<TimePart> named_parts(const SampleColumns& columns) {
  const std::array<NamedPart, 5> wanted = {{{Kind::kYear, {"year", "yyyy"}, 1000, 2999},
                                            {Kind::kMonth, {"month", "mm"}, 1, 12},
                                            {Kind::kDay, {"day", "dd"}, 1, 31},
                                            {Kind::kHour, {"hour", "hr", "hh"}, 0, 24},
                                            {Kind::kMinute, {"minute", "min"}, 0, 59}}};
  const NamedPart week = {Kind::kWeek, {"week", "isoweek", "iso_week", "week_number", "kw"}, 1, 53};
  std::vector<TimePart> parts;
  for (const NamedPart& part : wanted) {
    const std::optional<TimePart> found = column_of(columns, part);
    if (!found) break;
    parts.push_back(*found);
  }
  if (parts.size() == 1) {
    if (const std::optional<TimePart> found = column_of(columns, week)) parts.push_back(*found);
  }
  return parts;
}

}  // namespace

TimeColumns find_time_columns(const SampleColumns& columns) {
  const std::vector<std::size_t> found = stamp_columns(columns);
  if (found.empty()) return {named_parts(columns), {}};
  TimeColumns time;
  std::size_t best = found.front();
  for (const std::size_t column : found) {
    if (distinct(columns, column) > distinct(columns, best)) best = column;
  }
  time.parts.push_back({best, Kind::kDate});
  for (const std::size_t column : found) {
    if (column != best) time.others.push_back(column);
  }
  if (columns.share(best, is_date_alone) > 0.9) {
    if (const std::optional<TimePart> clock = time_of_day(columns, best)) {
      time.parts.push_back(*clock);
      std::erase(time.others, clock->column);
    }
  }
  return time;
}

void join_time_parts(const std::vector<TimePart>& parts, const std::vector<std::string>& cells,
                     std::string& text) {
  text.clear();
  // Without a part there is no stamp, rather than one at midnight.
  if (std::ranges::any_of(cells, &std::string::empty)) return;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    switch (parts[i].kind) {
      case Kind::kDate:
        // YYYYMMDD alone is a number; in front of a time it is a date.
      case Kind::kYear:
        text += cells[i];
        break;
      case Kind::kMonth:
      case Kind::kDay:
        text += "-" + cells[i];
        break;
      case Kind::kWeek:
        text += (cells[i].size() == 1 ? "-W0" : "-W") + cells[i];
        break;
      case Kind::kClock:
        text += " " + clock_text(cells[i]);
        break;
      case Kind::kHour: {
        const bool has_minute = i + 1 < parts.size();
        text += " " + cells[i] + (has_minute ? "" : ":00");
        break;
      }
      case Kind::kMinute:
        text += (cells[i].size() == 1 ? ":0" : ":") + cells[i];
        break;
    }
  }
}

}  // namespace pulsecast
