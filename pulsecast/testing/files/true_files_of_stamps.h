// Stamps in the forms that people write.
#pragma once

#include "pulsecast/calendar/civil.h"
#include "pulsecast/calendar/step.h"
#include "pulsecast/testing/files/true_file.h"

namespace pulsecast::testing {

// A line a step from the Monday 2024-01-01 on, each with its stamp as `form` writes it.
inline std::string stamped(const std::string& header, const std::string& step, std::size_t rows,
                           const std::function<std::string(Instant)>& form,
                           const std::string& separator = ",") {
  std::string text = header + "\n";
  Instant stamp = Step::parse(step).add(kStart, step == "1me" ? 1 : 0, Zone());
  for (std::size_t row = 0; row < rows; ++row) {
    text += form(stamp) + separator + fmt::format("{}\n", truth_at(0, row));
    stamp = Step::parse(step).add(stamp, 1, Zone());
  }
  return text;
}

// Rows apart from one another by no step, one in each half hour.
inline std::string scattered(std::size_t rows) {
  std::string text = "date,a\n";
  for (std::size_t row = 0; row < rows; ++row) {
    const auto minutes = static_cast<std::int64_t>(30 * row + (7 * row * row + 3 * row) % 29);
    text += to_text({kStart.milliseconds + minutes * 60'000}, Zone()) +
            fmt::format(",{}\n", truth_at(0, row));
  }
  return text;
}

inline std::string reversed_rows(const std::string& text) {
  std::vector<std::string> rows;
  std::size_t at = text.find('\n') + 1;
  const std::string header = text.substr(0, at);
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at) + 1;
    rows.push_back(text.substr(at, end - at));
    at = end;
  }
  std::string turned = header;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) turned += *row;
  return turned;
}

// "2024-W05": the ISO week of a Monday.
inline std::string week_text(Instant monday, const char* between) {
  const WallTime thursday = days_later(wall(monday), 3);
  return fmt::format("{}{}{:02}", thursday.year, between, (thursday.day_of_year + 6) / 7);
}

inline std::vector<TrueFile> files_of_stamps() {
  static constexpr const char* kNames[] = {"January",   "February", "March",    "April",
                                           "May",       "June",     "July",     "August",
                                           "September", "October",  "November", "December"};
  const auto name = [](Instant t) { return std::string(kNames[wall(t).month - 1]); };
  const auto date = [](Instant t) { return date_text(t); };
  const std::string days = stamped("date,a", "1d", 60, date);
  return {
      {"ISO weeks", stamped("week,a", "7d", 120, [](Instant t) { return week_text(t, "-W"); }),
       kOneSeries, "7d", 120},
      {"ISO weeks without a dash",
       stamped("week,a", "7d", 120, [](Instant t) { return week_text(t, "W"); }), kOneSeries, "7d",
       120},
      {"months by name",
       stamped("month,a", "1mo", 60,
               [&](Instant t) { return fmt::format("{} {}", name(t).substr(0, 3), wall(t).year); }),
       kOneSeries, "1mo"},
      {"months by their whole name",
       stamped("month,a", "1mo", 60,
               [&](Instant t) { return fmt::format("{} {}", name(t), wall(t).year); }),
       kOneSeries, "1mo"},
      {"months with a dash",
       stamped("month,a", "1mo", 60,
               [&](Instant t) { return fmt::format("{}-{}", name(t).substr(0, 3), wall(t).year); }),
       kOneSeries, "1mo"},
      {"months by number",
       stamped("month,a", "1mo", 60,
               [](Instant t) { return fmt::format("{}-{:02}", wall(t).year, wall(t).month); }),
       kOneSeries, "1mo"},
      {"year and month by name in two columns",
       stamped("year,month,a", "1mo", 60,
               [&](Instant t) { return fmt::format("{},{}", wall(t).year, name(t).substr(0, 3)); }),
       kOneSeries, "1mo"},
      {"months by their German names",
       stamped(
           "Monat;a", "1mo", 60,
           [](Instant t) {
             static constexpr const char* kGerman[] = {"Jan", "Feb", "M\xC3\xA4r", "Apr",
                                                       "Mai", "Jun", "Jul",        "Aug",
                                                       "Sep", "Okt", "Nov",        "Dez"};
             return fmt::format("{} {}", kGerman[wall(t).month - 1], wall(t).year);
           },
           ";"),
       kOneSeries, "1mo"},
      {"year and week in two columns",
       stamped("year,week,a", "7d", 120,
               [](Instant t) {
                 const std::string text = week_text(t, "");
                 return text.substr(0, 4) + "," + std::to_string(std::stoi(text.substr(4)));
               }),
       kOneSeries, "7d", 120},
      {"bare years",
       stamped("year,a", "1y", 60, [](Instant t) { return fmt::format("{}", wall(t).year); }),
       kOneSeries, "1y"},
      {"quarters",
       stamped(
           "quarter,a", "1q", 60,
           [](Instant t) { return fmt::format("{}-Q{}", wall(t).year, wall(t).month / 3 + 1); }),
       kOneSeries, "3mo"},
      {"days with the month's name",
       stamped("day,a", "1d", 60,
               [&](Instant t) {
                 return fmt::format("{} {} {}", wall(t).day, name(t).substr(0, 3), wall(t).year);
               }),
       kOneSeries},
      {"days as Americans write them",
       stamped("day,a", "1d", 60,
               [&](Instant t) {
                 return fmt::format("\"{} {}, {}\"", name(t), wall(t).day, wall(t).year);
               }),
       kOneSeries},
      {"the day first, with points",
       stamped(
           "Datum;a", "1d", 60,
           [](Instant t) {
             return fmt::format("{:02}.{:02}.{}", wall(t).day, wall(t).month, wall(t).year);
           },
           ";"),
       kOneSeries},
      {"the month first",
       stamped("date,a", "1d", 60,
               [](Instant t) {
                 return fmt::format("{}/{}/{}", wall(t).month, wall(t).day, wall(t).year);
               }),
       kOneSeries},
      {"a clock of twelve hours",
       stamped("date,a", "1h", 600,
               [](Instant t) {
                 const int hour = wall(t).hour;
                 return fmt::format("{}/{}/{} {}:00 {}", wall(t).month, wall(t).day, wall(t).year,
                                    hour % 12 == 0 ? 12 : hour % 12, hour < 12 ? "AM" : "PM");
               }),
       kOneSeries, "1h", 600},
      {"seconds since 1970",
       stamped("time,a", "1h", 200,
               [](Instant t) { return fmt::format("{}", t.milliseconds / 1000); }),
       kOneSeries, "1h", 200},
      {"milliseconds since 1970",
       stamped("ts,a", "1h", 200, [](Instant t) { return fmt::format("{}", t.milliseconds); }),
       kOneSeries, "1h", 200},
      {"dates of eight digits",
       stamped("date,a", "1d", 60,
               [](Instant t) {
                 return fmt::format("{}{:02}{:02}", wall(t).year, wall(t).month, wall(t).day);
               }),
       kOneSeries},
      {"offsets",
       stamped("date,a", "1h", 200,
               [](Instant t) { return to_text({t.milliseconds + 7'200'000}, Zone()) + "+02:00"; }),
       kOneSeries, "1h", 200},
      {"business days", stamped("date,a", "1b", 60, date), kOneSeries, "1b"},
      {"month ends", stamped("date,a", "1me", 60, date), kOneSeries, "1me"},
      {"the newest row first", reversed_rows(days), kOneSeries, "1d", 60, "order"},
      {"a row that is there twice", days + days.substr(days.rfind("\n", days.size() - 2) + 1),
       kOneSeries, "1d", 60, "duplicates"},
      {"rows that keep no step", scattered(300), kOneSeries, "30min", 300, "resample"},
      {"rows without a header", days.substr(days.find('\n') + 1), {{"2", 0}}},
  };
}

}  // namespace pulsecast::testing
