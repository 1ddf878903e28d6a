#include "pulsecast/data/readers/fault_flood.h"

#include <cstddef>

#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

constexpr std::size_t kMostCellFaults = 1'000'000;
constexpr std::size_t kMostRowFaults = 100'000;

}  // namespace

void refuse_fault_flood(const Table& table) {
  if (table.faults.size() > kMostCellFaults) {
    const CellFault& first = table.faults.front();
    const std::string& column = table.columns[first.column].name;
    throw make_error(
        ErrorKind::kData, Place(table.source).at_line(table.lines[first.row]).in_column(column),
        "more than {} cells hold no number, this one '{}' first", kMostCellFaults, first.text)
        .with(remedy::set("ignore", column, "leaves it out, if it is a column of text"))
        .with(remedy::set("decimal", "comma", "reads numbers with a decimal comma"));
  }
  if (table.row_faults.size() > kMostRowFaults) {
    throw_error(ErrorKind::kData, Place(table.source).at_line(table.row_faults.front().line),
                "more than {} lines cannot become rows; the first: {}", kMostRowFaults,
                table.row_faults.front().cause);
  }
}

}  // namespace pulsecast
