#include "pulsecast/data/readers/dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "pulsecast/base/error.h"
#include "pulsecast/calendar/stamp.h"
#include "pulsecast/data/readers/cell_cursor.h"
#include "pulsecast/data/readers/number_cell.h"

namespace pulsecast {
namespace {

constexpr std::size_t kMostRecords = 200;
constexpr std::size_t kMostCells = 50'000;
constexpr std::size_t kFewestRecords = 4;  // however wide: a header says nothing of its rows

// How well a dialect fits; the greater, the better, first part first.
using Fit = std::tuple<double, double, std::size_t>;

bool is_readable(std::string_view cell, char decimal) {
  if (read_number(cell, decimal).kind != NumberCell::Kind::kUnreadable) return true;
  return read_stamp(cell).form != Stamp::Form::kUnreadable;
}

// The head line may be names, so it counts for the number of cells alone.
Fit fit_of(const Sample& sample, char decimal) {
  if (sample.empty()) return {0, 0, 0};
  std::size_t even = 0;
  std::size_t readable = 0;
  std::size_t cells = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    even += sample[i].size() == sample.back().size();
    if (i == 0 && sample.size() > 1) continue;
    cells += sample[i].size();
    for (const std::string& cell : sample[i]) readable += is_readable(cell, decimal);
  }
  const double share = static_cast<double>(readable) / static_cast<double>(cells);
  // Cells of text are the same text under every separator but one, so shares that are close are
  // taken for equal and evenness decides.
  return {std::round(share * 20), static_cast<double>(even) / static_cast<double>(sample.size()),
          sample.back().size()};
}

std::vector<char> separators(const DataSettings& settings) {
  switch (settings.separator) {
    case Separator::kComma:
      return {','};
    case Separator::kSemicolon:
      return {';'};
    case Separator::kTab:
      return {'\t'};
    case Separator::kBlank:
      return {' '};
    case Separator::kFound:
      break;
  }
  return {'\t', ';', ',', ' '};
}

std::vector<char> decimals(const DataSettings& settings, char separator) {
  if (settings.decimal == Decimal::kPoint) return {'.'};
  if (settings.decimal == Decimal::kComma) return {','};
  return separator == ',' ? std::vector<char>{'.'} : std::vector<char>{'.', ','};
}

}  // namespace

Sample take_sample(std::string_view head, char separator) {
  Sample sample;
  CellCursor cursor(head, separator);
  std::size_t cells = 0;
  while (!cursor.at_end() && sample.size() < kMostRecords &&
         (cells < kMostCells || sample.size() < kFewestRecords)) {
    if (cursor.skip_blank_line()) continue;
    std::vector<std::string>& record = sample.emplace_back();
    do {
      record.emplace_back(trimmed(cursor.next()));
    } while (!cursor.was_last() && !cursor.at_end());
    cells += record.size();
  }
  return sample;
}

Dialect find_dialect(std::string_view head, const DataSettings& settings) {
  if (settings.separator == Separator::kComma && settings.decimal == Decimal::kComma) {
    throw Error(ErrorKind::kUsage,
                "a comma cannot be the decimal mark too: 1,5 would be one number and two cells",
                Place::of_setting("separator"))
        .with(remedy::open("separator", "can be another"))
        .with(remedy::open("decimal", "can be another"));
  }
  Dialect best;
  Fit best_fit{-1, 0, 0};
  for (const char separator : separators(settings)) {
    const Sample sample = take_sample(head, separator);
    for (const char decimal : decimals(settings, separator)) {
      if (separator == ',' && decimal == ',') continue;
      const Fit fit = fit_of(sample, decimal);
      if (fit > best_fit) {
        best_fit = fit;
        best = {separator, decimal};
      }
    }
  }
  return best;
}

std::string to_text(const Dialect& dialect) {
  const char* separator = dialect.separator == '\t'  ? "tab"
                          : dialect.separator == ' ' ? "blanks"
                          : dialect.separator == ',' ? "comma"
                                                     : "semicolon";
  return fmt::format("separator {}, decimal {}", separator,
                     dialect.decimal == ',' ? "comma" : "point");
}

}  // namespace pulsecast
