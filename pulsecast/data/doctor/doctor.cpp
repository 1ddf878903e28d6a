#include "pulsecast/data/doctor/doctor.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/base/error.h"
#include "pulsecast/data/doctor/checks.h"
#include "pulsecast/data/doctor/remedies.h"
#include "pulsecast/data/repair/repair.h"
#include "pulsecast/data/table/table_step.h"

namespace pulsecast {
namespace {

// Of the table with everything mended that can be without inventing values; where rows do not lie
// on a grid at all, of the rows as they come.
PeriodFinding period_of(const Table& table, const DataSettings& given) {
  DataSettings settings = given;
  settings.bad_rows = BadRows::kDrop;
  settings.order = Order::kSort;
  settings.fill = Fill::kNone;
  if (settings.duplicates == Duplicates::kRefuse) settings.duplicates = Duplicates::kFirst;
  for (const std::optional<Grid> grid : {given.grid, std::optional(Grid::kRows)}) {
    settings.grid = grid;
    try {
      return find_period(repair(table, settings).series);
    } catch (const Error& error) {
      // A table that makes no series has no period; why it makes none is among the findings.
      if (error.kind() == ErrorKind::kInterrupted) throw;
    }
  }
  return {};
}

}  // namespace

Diagnosis examine(const Table& table, const DataSettings& settings) {
  Diagnosis diagnosis;
  diagnosis.source = table.source;
  diagnosis.rows = table.rows();
  diagnosis.series = table.series_names.size();
  diagnosis.zone = table.zone.name();
  diagnosis.notes = table.notes;
  for (const Column& column : table.columns) {
    const auto missing = std::count_if(column.values.begin(), column.values.end(),
                                       [](double v) { return std::isnan(v); });
    diagnosis.columns.push_back({column.name, column.role, static_cast<std::size_t>(missing)});
  }
  if (!table.stamps.empty()) {
    const auto [first, last] = std::minmax_element(table.stamps.begin(), table.stamps.end());
    diagnosis.first = *first;
    diagnosis.last = *last;
  }
  const std::vector<SeriesRows> all = rows_by_series(table);
  diagnosis.frequency = step_of(table, all);
  std::optional<Step> step;
  if (settings.step) {
    step = Step::parse(*settings.step);
  } else if (diagnosis.frequency) {
    step = diagnosis.frequency->step;
  }

  diagnosis.period = period_of(table, settings);

  check_rows(table, all, diagnosis.findings);
  if (step) check_steps(table, all, *step, diagnosis.findings);
  check_cells(table, all, diagnosis.findings);
  check_columns(table, all, diagnosis.findings);
  check_length(table, all, step, settings, diagnosis.findings);
  std::stable_sort(diagnosis.findings.begin(), diagnosis.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.kind < b.kind; });
  diagnosis.remedies = list_remedies(diagnosis.findings);
  return diagnosis;
}

}  // namespace pulsecast
