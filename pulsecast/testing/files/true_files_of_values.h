// Values with what people, sensors and spreadsheets put around them and in their place.
#pragma once

#include "pulsecast/base/missing.h"
#include "pulsecast/testing/files/true_file.h"

namespace pulsecast::testing {

inline double large_truth(std::size_t series, std::size_t row) {
  return std::round(100'000 * truth_at(series, row)) / 100;
}

// "1,234,567.89", with those marks.
inline std::string grouped(double value, const std::string& thousands, char decimal) {
  std::string text = fmt::format("{:.2f}", value);
  text[text.size() - 3] = decimal;
  for (std::size_t at = text.size() - 3; at > 3; at -= 3) text.insert(at - 3, thousands);
  return text;
}

inline double profit_truth(std::size_t series, std::size_t row) {
  return std::round(1000 * (truth_at(series, row) - 10)) / 1000;
}

// A counter of a billion, and hundredths of it that come and go.
inline double meter_truth(std::size_t, std::size_t row) {
  return 1e9 + std::round(3 * std::sin(static_cast<double>(row) * 2 * M_PI / 7)) / 100;
}

// Hours of a day, as a sensor measures them: no two alike, and never below 30.
inline double sensor(std::size_t, std::size_t row) {
  const auto hour = static_cast<double>(row);
  return std::round(1000 * (60 + 20 * std::sin(hour * 2 * M_PI / 24) + 3 * std::sin(hour * hour))) /
         1000;
}

inline bool is_off(std::size_t row) { return row == 40 || (row > 200 && row < 206) || row == 333; }

// What a sensor says, with `cell` where it was off: a file whose truth has no value there.
inline TrueFile switched_off(const char* name, const std::string& cell, const char* advised) {
  return {name,
          lines("date,a", 400, kHour,
                [&](std::size_t row, Instant t) {
                  return to_text(t, Zone()) + "," +
                         (is_off(row) ? cell : fmt::format("{}", sensor(0, row)));
                }),
          kOneSeries,
          "1h",
          400,
          advised,
          [](std::size_t, std::size_t row) { return is_off(row) ? kMissing : sensor(0, row); }};
}

inline std::string days_written(const std::string& header,
                                const std::function<std::string(std::string, std::size_t)>& line) {
  return lines(header, 60, kDay,
               [&](std::size_t row, Instant t) { return line(date_text(t), row); });
}

inline std::string with_line_ends(std::string text, const std::string& end) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += end.size()) {
    text.replace(at, 1, end);
  }
  return text;
}

inline std::vector<TrueFile> files_of_values() {
  const std::string plain = days_written("date,a", [](const std::string& day, std::size_t row) {
    return fmt::format("{},{}", day, truth_at(0, row));
  });
  const auto stuck = [](std::size_t row) { return row >= 150 && row < 190; };
  return {
      {"thousands with commas",
       days_written("date,a",
                    [](const std::string& day, std::size_t row) {
                      return day + ",\"" + grouped(large_truth(0, row), ",", '.') + "\"";
                    }),
       kOneSeries, "1d", 60, "", large_truth},
      {"thousands with points",
       days_written("date;a",
                    [](const std::string& day, std::size_t row) {
                      return day + ";" + grouped(large_truth(0, row), ".", ',');
                    }),
       kOneSeries, "1d", 60, "", large_truth},
      {"dollars and thousands",
       days_written("date,a",
                    [](const std::string& day, std::size_t row) {
                      return day + ",\"$" + grouped(large_truth(0, row), ",", '.') + "\"";
                    }),
       kOneSeries, "1d", 60, "", large_truth},
      {"thousands with blanks that do not break",
       days_written("date;a",
                    [](const std::string& day, std::size_t row) {
                      return day + ";" + grouped(large_truth(0, row), "\xC2\xA0", ',');
                    }),
       kOneSeries, "1d", 60, "", large_truth},
      {"thousands with blanks and euros",
       days_written("date;a",
                    [](const std::string& day, std::size_t row) {
                      return day + ";" + grouped(large_truth(0, row), " ", ',') + " \xE2\x82\xAC";
                    }),
       kOneSeries, "1d", 60, "", large_truth},
      {"thousands with apostrophes of typographers",
       days_written("date;a",
                    [](const std::string& day, std::size_t row) {
                      return day + ";" + grouped(large_truth(0, row), "\xE2\x80\x99", '.');
                    }),
       kOneSeries, "1d", 60, "", large_truth},
      {"losses between parentheses",
       days_written("date,a",
                    [](const std::string& day, std::size_t row) {
                      const double value = profit_truth(0, row);
                      return day +
                             (value < 0 ? fmt::format(",({})", -value) : fmt::format(",{}", value));
                    }),
       kOneSeries, "1d", 60, "", profit_truth},
      {"losses with the minus of typographers",
       days_written("date,a",
                    [](const std::string& day, std::size_t row) {
                      const double value = profit_truth(0, row);
                      return fmt::format("{},{}{}", day, value < 0 ? "\xE2\x88\x92" : "",
                                         std::abs(value));
                    }),
       kOneSeries, "1d", 60, "", profit_truth},
      {"a period behind a large level",
       days_written("date,a",
                    [](const std::string& day, std::size_t row) {
                      return fmt::format("{},{:.2f}", day, meter_truth(0, row));
                    }),
       kOneSeries, "1d", 60, "", meter_truth},
      {"a line that names the separator",
       "sep=;\n" + days_written("date;a",
                                [](const std::string& day, std::size_t row) {
                                  return fmt::format("{};{}", day, truth_at(0, row));
                                }),
       kOneSeries},
      {"true and false",
       days_written("date,a,open",
                    [](const std::string& day, std::size_t row) {
                      return fmt::format("{},{},{}", day, truth_at(0, row),
                                         row % 7 < 5 ? "true" : "false");
                    }),
       {{"a", 0}, {"open", 1}},
       "1d",
       60,
       "",
       [](std::size_t series, std::size_t row) {
         return series == 0 ? truth_at(0, row) : row % 7 < 5 ? 1.0 : 0.0;
       }},
      {"a byte-order mark and lines of Windows", "\xEF\xBB\xBF" + with_line_ends(plain, "\r\n"),
       kOneSeries},
      {"quotes around everything",
       days_written("\"date\",\"a\"",
                    [](const std::string& day, std::size_t row) {
                      return fmt::format("\"{}\",\"{}\"", day, truth_at(0, row));
                    }),
       kOneSeries},
      {"tabs",
       days_written("date\ta",
                    [](const std::string& day, std::size_t row) {
                      return fmt::format("{}\t{}", day, truth_at(0, row));
                    }),
       kOneSeries},
      {"a separator at the end of lines",
       days_written("date,a,",
                    [](const std::string& day, std::size_t row) {
                      return fmt::format("{},{},", day, truth_at(0, row));
                    }),
       kOneSeries},
      {"a column with letters beyond ASCII, as Latin-1",
       days_written("date,a,gr\xF6\xDF"
                    "e",
                    [](const std::string& day, std::size_t row) {
                      return fmt::format("{},{},{}", day, truth_at(0, row), truth_at(1, row));
                    }),
       {{"a", 0},
        {"gr\xC3\xB6\xC3\x9F"
         "e",
         1}}},
      switched_off("-999 for no value", "-999", "outliers"),
      switched_off("99999 for no value", "99999", "outliers"),
      switched_off("-1 for no value", "-1", "outliers"),
      switched_off("empty cells", "", "fill"),
      switched_off("NA", "NA", "fill"),
      switched_off("infinite values", "inf", "fill"),
      {"a slipped decimal point",
       lines("date,a", 400, kHour,
             [](std::size_t row, Instant t) {
               return to_text(t, Zone()) +
                      fmt::format(",{}", sensor(0, row) * (row == 77 ? 1000 : 1));
             }),
       kOneSeries, "1h", 400, "outliers",
       [](std::size_t, std::size_t row) { return row == 77 ? kMissing : sensor(0, row); }},
      {"a sensor that got stuck",
       lines("date,a", 400, kHour,
             [&](std::size_t row, Instant t) {
               return to_text(t, Zone()) + fmt::format(",{}", stuck(row) ? 61.5 : sensor(0, row));
             }),
       kOneSeries, "1h", 400, "outliers",
       [=](std::size_t, std::size_t row) { return stuck(row) ? kMissing : sensor(0, row); }},
      {"rows that are missing",
       [] {
         std::string text = "date,a\n";
         for (std::size_t row = 0; row < 60; ++row) {
           if (row == 20 || row == 21) continue;
           text += date_text({kStart.milliseconds + static_cast<std::int64_t>(row) * kDay}) +
                   fmt::format(",{}\n", truth_at(0, row));
         }
         return text;
       }(),
       kOneSeries, "1d", 60, "fill",
       [](std::size_t, std::size_t row) {
         return row == 20 || row == 21 ? kMissing : truth_at(0, row);
       }},
  };
}

}  // namespace pulsecast::testing
