#include "pulsecast/calendar/stamp_column.h"
#include "pulsecast/calendar/civil.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/base/words.h"

namespace pulsecast {
namespace {

using Where = std::function<Place(std::size_t)>;
using Form = Stamp::Form;

bool is_read(const Stamp& stamp) {
  return stamp.form != Form::kEmpty && stamp.form != Form::kUnreadable;
}

// How most rows are written; the others are faults.
struct Majority {
  Form form = Form::kYearFirst;
  bool has_offset = false;
};

Majority majority(const PackedStamps& stamps) {
  std::array<std::size_t, 10> counts{};
  for (std::size_t row = 0; row < stamps.size(); ++row) {
    const Stamp stamp = stamps[row];
    if (is_read(stamp)) ++counts[2 * static_cast<std::size_t>(stamp.form) + stamp.has_offset];
  }
  const auto most =
      static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
  return {static_cast<Form>(most / 2), most % 2 == 1};
}

// Whether the day stands first, from the rows that leave no choice.
bool decide_day_first(const PackedStamps& stamps, const Where& where) {
  std::optional<std::size_t> day_first;
  std::optional<std::size_t> month_first;
  std::optional<std::size_t> open;
  for (std::size_t row = 0; row < stamps.size(); ++row) {
    const Stamp stamp = stamps[row];
    if (stamp.form != Form::kOpenOrder) continue;
    if (stamp.first > 12) {
      if (!day_first) day_first = row;
    } else if (stamp.second > 12) {
      if (!month_first) month_first = row;
    } else if (stamp.first != stamp.second && !open) {
      open = row;
    }
  }
  if (day_first && month_first) {
    const Words plain;
    throw make_error(
        ErrorKind::kData, where(std::max(*day_first, *month_first)),
        "dates are written in two orders: {} ({}) has the day first and {} ({}) the month",
        to_text(stamps[*day_first]), to_text(where(*day_first), plain),
        to_text(stamps[*month_first]), to_text(where(*month_first), plain))
        .with(remedy::advice("make them one, best as 2024-12-31"))
        .with(remedy::open("day-order", "makes rows in the other order faults"));
  }
  if (!day_first && !month_first && open) {
    throw make_error(ErrorKind::kData, where(*open),
                     "{} can be read with the day or the month first, and no row of the column "
                     "settles it",
                     to_text(stamps[*open]))
        .with(remedy::set("day-order", "day-first", "settles it"))
        .with(remedy::set("day-order", "month-first", "settles it"));
  }
  return day_first.has_value();
}

enum class NumberMeaning { kSeconds, kMilliseconds, kDate, kYear };

bool is_compact_date(const Stamp& stamp) {
  return stamp.digits == 8 && stamp.thousandths >= 0 && stamp.thousandths % 1000 == 0 &&
         read_stamp(fmt::format("{:08}T0000", stamp.thousandths / 1000)).form == Form::kYearFirst;
}

bool is_year(const Stamp& stamp) {
  constexpr std::int64_t kFirst = 1000;
  constexpr std::int64_t kLast = 2999;
  return stamp.digits == 4 && stamp.thousandths % 1000 == 0 && stamp.thousandths >= 1000 * kFirst &&
         stamp.thousandths <= 1000 * kLast;
}

// By size over the column. 10^8 s is March 1973 and 10^11 s the year 5138; as milliseconds the
// same digits are January 1970 and March 1973.
NumberMeaning decide_numbers(const PackedStamps& stamps, const Where& where) {
  constexpr std::int64_t kLeastSeconds = 100'000'000;
  constexpr std::int64_t kLeastMilliseconds = 100'000'000'000;
  std::size_t seconds = 0;
  std::size_t milliseconds = 0;
  std::size_t dates = 0;
  std::size_t years = 0;
  std::optional<std::size_t> other;
  for (std::size_t row = 0; row < stamps.size(); ++row) {
    const Stamp stamp = stamps[row];
    if (stamp.form != Form::kNumber) continue;
    const std::int64_t size = std::abs(stamp.thousandths / 1000);
    if (size >= kLeastMilliseconds) {
      ++milliseconds;
    } else if (size >= kLeastSeconds) {
      ++seconds;
    } else if (is_compact_date(stamp)) {
      ++dates;
    } else if (is_year(stamp)) {
      ++years;
    } else if (!other) {
      other = row;
    }
  }
  const int meanings = (seconds > 0) + (milliseconds > 0) + (dates > 0) + (years > 0);
  if (meanings == 1 && !other) {
    return seconds > 0        ? NumberMeaning::kSeconds
           : milliseconds > 0 ? NumberMeaning::kMilliseconds
           : dates > 0        ? NumberMeaning::kDate
                              : NumberMeaning::kYear;
  }
  throw make_error(
      ErrorKind::kData, where(other.value_or(0)),
      "the numbers of the time column cannot be told apart: as seconds since 1970 they "
      "should lie between 10^8 and 10^11, as milliseconds above. {} of them look like "
      "seconds, {} like milliseconds, {} like YYYYMMDD, {} like years{}",
      seconds, milliseconds, dates, years,
      other ? fmt::format(", and {} like none", to_text(stamps[*other])) : "")
      .with(remedy::advice("write stamps as 2024-07-01 13:45"))
      .with(remedy::open("time-column", "names another column"));
}

// The wall clock of a stamp whose date order is decided, in milliseconds as if it were UTC.
// Nothing when the order makes it no date.
std::optional<std::int64_t> wall_milliseconds(const Stamp& stamp, bool day_first) {
  const bool is_swapped = stamp.form == Form::kOpenOrder && day_first;
  WallTime wall;
  wall.year = stamp.year;
  wall.month = is_swapped ? stamp.second : stamp.first;
  wall.day = is_swapped ? stamp.first : stamp.second;
  if (wall.month > 12) return std::nullopt;
  const Instant midnight = Zone().to_instants(wall).first;
  // A day that the month does not have would run over into the next one.
  if (midnight < kEarliestInstant || midnight > kLatestInstant ||
      Zone().to_wall(midnight).month != wall.month) {
    return std::nullopt;
  }
  return midnight.milliseconds + stamp.thousandths;
}

std::optional<std::int64_t> number_milliseconds(const Stamp& stamp, NumberMeaning meaning) {
  switch (meaning) {
    case NumberMeaning::kSeconds:
      return stamp.thousandths;
    case NumberMeaning::kMilliseconds:
      return stamp.thousandths / 1000;
    case NumberMeaning::kDate:
      return wall_milliseconds(read_stamp(fmt::format("{:08}T0000", stamp.thousandths / 1000)),
                               false);
    case NumberMeaning::kYear:
      return wall_milliseconds(read_stamp(fmt::format("{:04}-01", stamp.thousandths / 1000)),
                               false);
  }
  return std::nullopt;
}

class Decider {
 public:
  Decider(const PackedStamps& stamps, const PackedRows<std::uint32_t>& series,
          const StampRules& rules, const Where& where)
      : stamps_(stamps), series_(series), rules_(rules), majority_(majority(stamps)) {
    is_faulty_.resize(stamps.size());
    column_.has_offsets = majority_.has_offset;
    if (majority_.form == Form::kOpenOrder) {
      day_first_ = rules.day_first ? *rules.day_first : decide_day_first(stamps, where);
      column_.form = day_first_ ? "dates with the day first" : "dates with the month first";
    } else if (majority_.form == Form::kNumber) {
      meaning_ = decide_numbers(stamps, where);
      column_.form = meaning_ == NumberMeaning::kSeconds        ? "seconds since 1970"
                     : meaning_ == NumberMeaning::kMilliseconds ? "milliseconds since 1970"
                     : meaning_ == NumberMeaning::kDate         ? "dates as YYYYMMDD"
                                                                : "years";
    } else {
      column_.form = "dates with the year first";
    }
  }

  StampColumn decide() && {
    for (std::size_t row = 0; row < stamps_.size(); ++row) {
      column_.instants.push_back(read_row(row).value_or(Instant{}));
    }
    column_.shows_wall_clock = shows_wall_clock();
    if (column_.shows_wall_clock && !rules_.zone.is_utc()) place_on_wall_clock();
    std::stable_sort(column_.faults.begin(), column_.faults.end(),
                     [](const StampFault& a, const StampFault& b) { return a.row < b.row; });
    return std::move(column_);
  }

 private:
  bool shows_wall_clock() const {
    if (majority_.form == Form::kNumber) {
      return meaning_ == NumberMeaning::kDate || meaning_ == NumberMeaning::kYear;
    }
    return !majority_.has_offset;
  }

  void add_fault(std::size_t row, StampFault::Kind kind, std::string cause) {
    is_faulty_[row] = true;
    column_.faults.push_back({row, kind, std::move(cause)});
  }

  // The instant in UTC, or what the wall clock shows as if it were UTC; nothing of a faulty row.
  std::optional<Instant> read_row(std::size_t row) {
    const Stamp stamp = stamps_[row];
    if (stamp.form == Form::kEmpty) {
      add_fault(row, StampFault::Kind::kEmpty, "the stamp is empty");
      return std::nullopt;
    }
    if (stamp.form == Form::kUnreadable) {
      add_fault(row, StampFault::Kind::kUnreadable,
                fmt::format("the stamp cannot be read; expected a form such as {}", kStampForms));
      return std::nullopt;
    }
    if (stamp.form != majority_.form) {
      add_fault(row, StampFault::Kind::kUnreadable,
                fmt::format("{} is written in another form than the rest ({})", to_text(stamp),
                            column_.form));
      return std::nullopt;
    }
    if (stamp.has_offset != majority_.has_offset) {
      add_fault(row, StampFault::Kind::kUnreadable,
                fmt::format("{} has {} while the rest have {}", to_text(stamp),
                            stamp.has_offset ? "an offset" : "no offset",
                            stamp.has_offset ? "none" : "one"));
      return std::nullopt;
    }
    const std::optional<std::int64_t> milliseconds = stamp.form == Form::kNumber
                                                         ? number_milliseconds(stamp, meaning_)
                                                         : wall_milliseconds(stamp, day_first_);
    if (!milliseconds) {
      add_fault(row, StampFault::Kind::kUnreadable,
                fmt::format("{} is no date with the {} first", to_text(stamp),
                            day_first_ ? "day" : "month"));
      return std::nullopt;
    }
    const Instant instant{*milliseconds - stamp.offset * kMinuteMilliseconds};
    if (instant < kEarliestInstant || instant > kLatestInstant) {
      add_fault(row, StampFault::Kind::kUnreadable,
                fmt::format("{} lies outside the years 1 to 9999", to_text(stamp)));
      return std::nullopt;
    }
    column_.cut_rows += stamp.is_cut;
    return instant;
  }

  // Rows of one series follow one another on the wall clock. Where it shows a time twice, the row
  // takes the earlier instant unless the row before it has got that far already. A file that runs
  // backwards, newest row first, is read from its end.
  void place_on_wall_clock() {
    std::uint32_t series_count = 1;
    for (const std::uint32_t id : series_) series_count = std::max(series_count, id + 1);
    struct Ends {
      std::optional<Instant> first, last;
    };
    std::vector<Ends> ends(series_count);
    for (std::size_t row = 0; row < stamps_.size(); ++row) {
      if (is_faulty_[row]) continue;
      Ends& own = ends[series_of(row)];
      if (!own.first) own.first = column_.instants[row];
      own.last = column_.instants[row];
    }
    std::vector<std::optional<Instant>> before(series_count);
    std::vector<Instant> placed(column_.instants.begin(), column_.instants.end());
    const auto runs_backwards = [&](std::size_t row) {
      const Ends& own = ends[series_of(row)];
      return own.first > own.last;
    };
    for (std::size_t row = 0; row < stamps_.size(); ++row) {
      if (!is_faulty_[row] && !runs_backwards(row)) place(row, before[series_of(row)], placed);
    }
    for (std::size_t row = stamps_.size(); row-- > 0;) {
      if (!is_faulty_[row] && runs_backwards(row)) place(row, before[series_of(row)], placed);
    }
    column_.instants.clear();
    for (const Instant instant : placed) column_.instants.push_back(instant);
  }

  void place(std::size_t row, std::optional<Instant>& before, std::vector<Instant>& placed) {
    const std::optional<Instant> instant = next_on_wall_clock(rules_.zone, placed[row], before);
    if (!instant) {
      add_fault(row, StampFault::Kind::kSkippedHour,
                fmt::format("the clocks of {} skip {}", rules_.zone.name(), to_text(stamps_[row])));
      return;
    }
    placed[row] = *instant;
  }

  std::uint32_t series_of(std::size_t row) const { return series_.empty() ? 0 : series_[row]; }

  const PackedStamps& stamps_;
  const PackedRows<std::uint32_t>& series_;
  const StampRules& rules_;
  Majority majority_;
  bool day_first_ = false;
  NumberMeaning meaning_ = NumberMeaning::kSeconds;
  StampColumn column_;
  std::vector<bool> is_faulty_;
};

}  // namespace

std::optional<Instant> next_on_wall_clock(const Zone& zone, Instant shown,
                                          std::optional<Instant>& before) {
  const Zone::Instants instants = zone.to_instants(Zone().to_wall(shown));
  if (instants.count == 0) return std::nullopt;
  const bool is_second = instants.count == 2 && before && *before >= instants.first;
  before = is_second ? instants.second : instants.first;
  return before;
}

StampColumn decide_stamps(const PackedStamps& stamps, const PackedRows<std::uint32_t>& series,
                          const StampRules& rules, const Where& where) {
  return Decider(stamps, series, rules, where).decide();
}

StampColumn decide_stamps(std::span<const Stamp> stamps, const StampRules& rules,
                          const Where& where) {
  PackedStamps packed;
  for (const Stamp& stamp : stamps) packed.push_back(stamp);
  return decide_stamps(packed, {}, rules, where);
}

Instant read_instant(std::string_view text, const Zone& zone, const Place& place) {
  const Stamp stamp = read_stamp(text);
  const auto where = [&](std::size_t) { return place; };
  const StampColumn column = decide_stamps({&stamp, 1}, {.zone = zone, .day_first = {}}, where);
  if (!column.faults.empty()) {
    throw_error(ErrorKind::kUsage, place, "'{}' is not a date: {}", text.substr(0, 80),
                column.faults.front().cause);
  }
  return column.instants.front();
}

}  // namespace pulsecast
