// Files as people have them, each with its truth beside it.
//
// They are made by the functions below, so that a file and what it means cannot drift apart: of
// layouts (who a row belongs to), of stamps (when it was) and of values (what was measured).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/calendar/stamp_column.h"
#include "pulsecast/calendar/zone.h"

namespace pulsecast::testing {

inline constexpr std::int64_t kHour = 3'600'000;
inline constexpr std::int64_t kDay = 24 * kHour;
inline constexpr Instant kStart{1'704'067'200'000};  // 2024-01-01, a Monday

// A weekly wave; no two series are alike.
inline double truth_at(std::size_t series, std::size_t row) {
  const double wave = std::sin(static_cast<double>(row) * 2 * M_PI / 7.0);
  return std::round(1000 * (10.0 * static_cast<double>(series + 1) + wave)) / 1000;
}

struct TrueFile {
  const char* name;
  std::string text;
  std::map<std::string, std::size_t> series;  // name of a channel, and which series it is
  std::string step = "1d";
  std::size_t rows = 60;
  std::string advised = "";  // a setting that must be among the advice; empty: none is needed
  // Of a series and row; NaN where the file has no value there.
  std::function<double(std::size_t, std::size_t)> truth = truth_at;
};

inline WallTime wall(Instant instant) { return Zone().to_wall(instant); }

inline std::string date_text(Instant instant) { return to_text(instant, Zone()).substr(0, 10); }

// A line a row, as `line(row, stamp)` writes it.
inline std::string lines(std::string header, std::size_t rows, std::int64_t step,
                         const std::function<std::string(std::size_t, Instant)>& line) {
  std::string text = std::move(header) + "\n";
  for (std::size_t row = 0; row < rows; ++row) {
    text += line(row, {kStart.milliseconds + static_cast<std::int64_t>(row) * step}) + "\n";
  }
  return text;
}

// `wanted(series, row, date)` for every shop and day, shop by shop or day by day.
inline std::string panel(
    std::string header, bool by_day,
    const std::function<std::string(std::size_t, std::size_t, std::string)>& wanted) {
  std::string text = std::move(header) + "\n";
  for (std::size_t i = 0; i < 180; ++i) {
    const std::size_t series = by_day ? i % 3 : i / 60;
    const std::size_t row = by_day ? i / 3 : i % 60;
    const Instant day{kStart.milliseconds + static_cast<std::int64_t>(row) * kDay};
    text += wanted(series, row, date_text(day)) + "\n";
  }
  return text;
}

// What clocks of Berlin show, from 2023-10-20 on, for `rows` steps.
inline std::string berlin(std::size_t rows, std::int64_t step) {
  const Zone zone = Zone::named("Europe/Berlin");
  std::string text = "date,a\n";
  for (std::size_t row = 0; row < rows; ++row) {
    const Instant instant{1'697'760'000'000 + static_cast<std::int64_t>(row) * step};
    text += to_text(instant, zone) + fmt::format(",{}\n", truth_at(0, row));
  }
  return text;
}

inline const std::map<std::string, std::size_t> kOneSeries = {{"a", 0}};

}  // namespace pulsecast::testing
