// The cells of one sheet, put into lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pulsecast {

// What a workbook may have of either.
inline constexpr std::size_t kMostSheetRows = std::size_t{1} << 20;
inline constexpr std::size_t kMostSheetColumns = std::size_t{1} << 14;

// Cells come in the order of rows and columns. A line is a row of the sheet, empty ones too. The
// table begins with the first row that has a cell in the last column: what is above are titles,
// which stay as short as they are, and columns that are empty to the left of the table are left
// out.
class SheetText {
 public:
  explicit SheetText(std::string source) : source_(std::move(source)) {}

  // Counted from 0. Throws Error(kData) out of order, or for more than is read.
  void add(std::size_t row, std::size_t column, std::string_view text);

  bool empty() const { return rows_.empty(); }
  // Separated by commas; those of the table have as many each.
  std::string lines() const;

 private:
  struct Row {
    std::size_t row;
    std::size_t first;  // column
    std::size_t last;
    std::size_t begin;  // in text_
  };

  std::string source_;
  std::vector<Row> rows_;
  std::string text_;
};

}  // namespace pulsecast
