#include "pulsecast/data/readers/row_block.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/missing.h"
#include "pulsecast/data/readers/cell_cursor.h"
#include "pulsecast/data/readers/number_cell.h"
#include "pulsecast/data/readers/short_decimal.h"

namespace pulsecast {
namespace {

using Use = ColumnPlan::Use;

// What a cell held, fit for a message: short, and UTF-8.
std::string shown(std::string_view cell) {
  constexpr std::size_t kMost = 32;
  cell = trimmed(cell);
  bool was_latin1 = false;
  return cell.size() <= kMost ? to_utf8(cell, was_latin1)
                              : to_utf8(cell.substr(0, kMost), was_latin1) + "...";
}

class RowParser {
 public:
  RowParser(std::string_view chunk, const Dialect& dialect, const ColumnPlan& plan, RowBlock& block)
      : cursor_(chunk, dialect.separator),
        begin_(chunk.data()),
        dialect_(dialect),
        plan_(plan),
        block_(block),
        codes_(plan.labels.size()),
        part_cells_(plan.time_parts.size()) {}

  void parse() && {
    while (!cursor_.at_end()) {
      const std::uint64_t line = cursor_.lines();
      if (cursor_.skip_blank_line()) {
        if (!plan_.has_time) add_blank_row(line);
        continue;
      }
      parse_row(line);
    }
    block_.line_count = cursor_.lines();
  }

 private:
  // Where the next row's values go. Makes room for as many rows as the rest of the chunk holds if
  // they are as long as those so far; no row with all its cells is shorter than a byte a cell.
  double* make_room() {
    const std::size_t width = plan_.columns.size();
    const std::size_t rows = block_.rows();
    if (block_.values.size() < (rows + 1) * width) {
      const auto parsed = static_cast<std::size_t>(cursor_.at() - begin_);
      const auto left = static_cast<std::size_t>(cursor_.end() - cursor_.at());
      const std::size_t likely =
          std::min(rows * left / std::max<std::size_t>(parsed, 1), left / width);
      block_.values.resize((rows + 1 + rows / 8 + likely) * width);
    }
    return block_.values.data() + rows * width;
  }

  void add_blank_row(std::uint64_t line) {
    std::fill_n(make_room(), plan_.columns.size(), kMissing);
    block_.lines.push_back(line);
    ++block_.trailing_blank_rows;
  }

  void parse_row(std::uint64_t line) {
    const std::size_t faults_before = block_.faults.size();
    values_ = make_room();
    const std::size_t cells = parse_cells();
    if (cells == plan_.uses.size()) {
      const bool is_stamped =
          stamp_.form != Stamp::Form::kEmpty && stamp_.form != Stamp::Form::kUnreadable;
      if (!plan_.has_time || is_stamped) {
        add_row(line);
        return;
      }
      block_.row_faults.push_back(
          stamp_.form == Stamp::Form::kEmpty
              ? RowFault{line, RowFault::Kind::kStampEmpty, "the stamp is empty"}
              : RowFault{line, RowFault::Kind::kStampUnreadable,
                         fmt::format("the stamp '{}' cannot be read; expected a form such as {}",
                                     stamp_text_, kStampForms)});
    } else {
      block_.row_faults.push_back({line, RowFault::Kind::kCellCount,
                                   fmt::format("{} where the first line has {}",
                                               counted(cells, "cell"), plan_.uses.size())});
    }
    block_.faults.resize(faults_before);
    // Without stamps a row's place is its time, so a line that cannot be read must keep its place.
    if (!plan_.has_time) {
      std::fill_n(values_, plan_.columns.size(), kMissing);
      add_row(line);
    }
  }

  void add_row(std::uint64_t line) {
    if (plan_.has_time) block_.stamps.push_back(stamp_);
    for (std::size_t i = 0; i < codes_.size(); ++i) block_.labels[i].add(codes_[i]);
    block_.lines.push_back(line);
    block_.trailing_blank_rows = 0;
  }

  // Reads the cells of a record into values_, stamp_ and codes_; gives their number, at most one
  // more than there should be.
  std::size_t parse_cells() {
    std::uint32_t column = 0;
    std::size_t label = 0;
    for (std::size_t i = 0; i < plan_.uses.size(); ++i) {
      switch (plan_.uses[i]) {
        case Use::kValue: {
          const std::uint32_t plain = parse_plain_values(i, column);
          i += plain;
          column += plain;
          parse_value(column++);
          break;
        }
        case Use::kTime:
          take_stamp(cursor_.next());
          break;
        case Use::kTimePart:
          take_time_part(i, cursor_.next());
          break;
        case Use::kLabel:
          codes_[label] = block_.labels[label].code_of(trimmed(cursor_.next()));
          ++label;
          break;
        case Use::kSkip:
          cursor_.next();
          break;
      }
      if (cursor_.was_last()) return i + 1;
    }
    std::size_t extra = 0;
    while (!cursor_.was_last() && !cursor_.at_end()) {
      cursor_.next();
      ++extra;
    }
    return plan_.uses.size() + extra;
  }

  // Nearly every cell is a plain number with a separator and another value after it. Takes those
  // that stand one after another from the plan's column `use` on, and gives their number; the cell
  // after them goes the longer way, whatever it holds.
  std::uint32_t parse_plain_values(std::size_t use, std::uint32_t column) {
    const char separator = dialect_.separator;
    if (separator == ' ') return 0;
    // In locals, which stay in registers: where the next cell starts is what everything waits for.
    const char* at = cursor_.at();
    const char* last = nullptr;
    std::uint32_t count = 0;
    while (use + count + 1 < plan_.uses.size() && plan_.uses[use + count + 1] == Use::kValue) {
      const ShortDecimal number = read_short_decimal(at, cursor_.end(), dialect_.decimal);
      if (number.end == nullptr || *number.end != separator) break;
      values_[column + count++] = number.value;
      last = number.end;
      at = last + 1;
    }
    if (last != nullptr) cursor_.step_over(last);
    return count;
  }

  void parse_value(std::uint32_t column) {
    // Parsed where it stands, without looking for its end first. Whatever does not end at a
    // separator goes the long way.
    const ShortDecimal plain = read_short_decimal(cursor_.at(), cursor_.end(), dialect_.decimal);
    if (plain.end != nullptr && cursor_.step_over(plain.end)) {
      values_[column] = plain.value;
      return;
    }
    double value = 0;
    const auto [end, status] = fast_float::from_chars_advanced(
        cursor_.at(), cursor_.end(), value,
        fast_float::parse_options{fast_float::chars_format::general, dialect_.decimal});
    if (status == std::errc() && std::isfinite(value) && end != cursor_.end() &&
        cursor_.step_over(end)) {
      values_[column] = value;
      return;
    }
    const std::string_view cell = cursor_.next();
    const NumberCell number = read_number(cell, dialect_.decimal);
    values_[column] = number.value;
    block_.dressed += number.is_dressed ? 1 : 0;
    if (number.kind == NumberCell::Kind::kUnreadable ||
        number.kind == NumberCell::Kind::kInfinite) {
      block_.faults.push_back({static_cast<std::uint32_t>(block_.rows()), column,
                               number.kind == NumberCell::Kind::kInfinite
                                   ? CellFault::Kind::kInfinite
                                   : CellFault::Kind::kUnreadable,
                               shown(cell)});
    }
  }

  void take_stamp(std::string_view cell) {
    stamp_ = read_stamp(cell);
    if (stamp_.form == Stamp::Form::kUnreadable) stamp_text_ = shown(cell);
  }

  // The last part of a record makes its stamp.
  void take_time_part(std::size_t column, std::string_view cell) {
    std::size_t last = 0;
    for (std::size_t i = 0; i < plan_.time_parts.size(); ++i) {
      if (plan_.time_parts[i].column == column) part_cells_[i] = trimmed(cell);
      last = std::max(last, plan_.time_parts[i].column);
    }
    if (column != last) return;
    join_time_parts(plan_.time_parts, part_cells_, joined_);
    take_stamp(joined_);
  }

  CellCursor cursor_;
  const char* begin_;
  const Dialect& dialect_;
  const ColumnPlan& plan_;
  RowBlock& block_;
  double* values_ = nullptr;  // of the row at hand
  Stamp stamp_;
  std::string stamp_text_;
  std::vector<std::uint32_t> codes_;     // of the row at hand, one per label
  std::vector<std::string> part_cells_;  // of the row at hand, one per part of its stamp
  std::string joined_;
};

}  // namespace

void parse_rows(std::string_view chunk, const Dialect& dialect, const ColumnPlan& plan,
                RowBlock& block) {
  block.stamps.clear();
  block.lines.clear();
  block.labels.resize(plan.labels.size());
  for (Labels& labels : block.labels) labels.clear();
  block.faults.clear();
  block.row_faults.clear();
  block.trailing_blank_rows = 0;
  block.dressed = 0;
  RowParser(chunk, dialect, plan, block).parse();
}

}  // namespace pulsecast
