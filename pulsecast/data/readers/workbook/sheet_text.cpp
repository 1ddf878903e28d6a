#include "pulsecast/data/readers/workbook/sheet_text.h"

#include <algorithm>
#include <iterator>

#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

// A sheet of a million rows of a hundred numbers.
constexpr std::size_t kMostSheetBytes = std::size_t{1} << 30;

void require_fits(std::size_t bytes, const std::string& source) {
  if (bytes <= kMostSheetBytes) return;
  throw make_error(ErrorKind::kData, source, "the sheet has more than 1 GiB of text")
      .with(remedy::advice("save it as CSV first"));
}

// One cell on one line, between quotes where it must be.
void append_cell(std::string& line, std::string_view text) {
  if (text.find_first_of(",;\t\"\r\n") == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char letter : text) {
    if (letter == '"') line += '"';
    line += letter == '\r' || letter == '\n' ? ' ' : letter;
  }
  line += '"';
}

}  // namespace

void SheetText::add(std::size_t row, std::size_t column, std::string_view text) {
  if (row >= kMostSheetRows || column >= kMostSheetColumns) {
    throw_error(ErrorKind::kData, source_, "a cell lies outside of what a sheet may have");
  }
  const bool is_new = rows_.empty() || row > rows_.back().row;
  if (!is_new && (row < rows_.back().row || column <= rows_.back().last)) {
    throw_error(ErrorKind::kData, source_, "cells are out of order");
  }
  if (is_new) {
    rows_.push_back({row, column, column, text_.size()});
  } else {
    text_.append(column - rows_.back().last, ',');
    rows_.back().last = column;
  }
  append_cell(text_, text);
  require_fits(text_.size(), source_);
}

std::string SheetText::lines() const {
  if (rows_.empty()) return "";
  const std::size_t last = std::ranges::max(rows_, {}, &Row::last).last;
  const auto table = std::ranges::find(rows_, last, &Row::last);
  const std::size_t first = std::ranges::min_element(table, rows_.end(), {}, &Row::first)->first;
  require_fits(text_.size() + rows_.back().row + rows_.size() * (last + 1), source_);
  std::string lines;
  for (auto row = rows_.begin(); row != rows_.end(); ++row) {
    const auto next = std::next(row);
    const std::size_t end = next != rows_.end() ? next->begin : text_.size();
    lines.append(row->row - (row == rows_.begin() ? 0 : std::prev(row)->row + 1), '\n');
    lines.append(row->first - std::min(first, row->first), ',');
    lines.append(text_, row->begin, end - row->begin);
    if (row >= table) lines.append(last - row->last, ',');
    lines += '\n';
  }
  return lines;
}

}  // namespace pulsecast
