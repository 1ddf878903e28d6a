// Tables inside other files: workbooks and archives.
#pragma once

#include "pulsecast/testing/files/true_file.h"
#include "pulsecast/testing/made_workbook.h"

namespace pulsecast::testing {

// Days since 1899-12-30, as spreadsheets count them.
inline double serial_day(std::size_t row, std::int64_t step) {
  return 45292.0 + static_cast<double>(row) * static_cast<double>(step) / static_cast<double>(kDay);
}

// Cells side by side, each written as "<c ...>": rows of a sheet from `first` on.
inline std::string sheet_rows(std::size_t first, std::size_t count,
                              const std::function<std::string(std::size_t)>& cells) {
  std::string rows;
  for (std::size_t row = 0; row < count; ++row) {
    rows += fmt::format("<row r=\"{}\">{}</row>", first + row, cells(row));
  }
  return rows;
}

inline std::string number_cell(double value, int format = 0) {
  return fmt::format("<c s=\"{}\"><v>{}</v></c>", format, value);
}

inline std::string word_cell(std::size_t word) {
  return fmt::format("<c t=\"s\"><v>{}</v></c>", word);
}

inline std::vector<TrueFile> files_of_packings() {
  const auto head = [](std::size_t row, std::size_t words) {
    return sheet_rows(row, 1, [=](std::size_t) {
      std::string cells;
      for (std::size_t word = 0; word < words; ++word) cells += word_cell(word);
      return cells;
    });
  };
  const std::string hours =
      head(1, 2) + sheet_rows(2, 200, [](std::size_t row) {
        return number_cell(serial_day(row, kHour), 2) + number_cell(truth_at(0, row));
      });
  const std::string titled =
      "<row r=\"1\"><c r=\"A1\" t=\"str\"><v>Load of the north</v></c></row>" + head(3, 2) +
      sheet_rows(4, 60, [](std::size_t row) {
        return number_cell(serial_day(row, kDay), 1) + number_cell(truth_at(0, row));
      });
  const std::string clock = head(1, 3) + sheet_rows(2, 200, [](std::size_t row) {
                              const double day = serial_day(row, kHour);
                              return number_cell(std::floor(day), 1) +
                                     number_cell(day - std::floor(day), 3) +
                                     number_cell(truth_at(0, row));
                            });
  const std::string shops = head(1, 3) + sheet_rows(2, 180, [](std::size_t row) {
                              return word_cell(3 + row / 60) +
                                     number_cell(serial_day(row % 60, kDay), 1) +
                                     number_cell(truth_at(row / 60, row % 60));
                            });
  const std::string text = lines("date,a", 60, kDay, [](std::size_t row, Instant t) {
    return fmt::format("{},{}", date_text(t), truth_at(0, row));
  });
  return {
      {"a workbook", made_workbook({{"load", hours}}, {"date", "a"}), kOneSeries, "1h", 200},
      {"a workbook with a title and an empty sheet",
       made_workbook({{"load", titled}, {"notes", ""}}, {"date", "a"}), kOneSeries},
      {"a workbook with date and time in two columns",
       made_workbook({{"load", clock}}, {"date", "time", "a"}, {"hh:mm"}), kOneSeries, "1h", 200},
      {"a workbook of shops",
       made_workbook({{"sales", shops}}, {"store", "day", "sales", "K\xC3\xB6ln", "A, B", "west"}),
       {{"K\xC3\xB6ln", 0}, {"A, B", 1}, {"west", 2}}},
      {"a zipped table", zipped({{"load.csv", text}}, true), kOneSeries},
  };
}

}  // namespace pulsecast::testing
