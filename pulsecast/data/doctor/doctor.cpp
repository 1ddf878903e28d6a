#include "pulsecast/data/doctor/doctor.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "pulsecast/base/error.h"
#include "pulsecast/data/doctor/checks.h"
#include "pulsecast/data/doctor/remedies.h"
#include "pulsecast/data/doctor/summary.h"
#include "pulsecast/data/repair/repair.h"
#include "pulsecast/data/table/table_step.h"

namespace pulsecast {
namespace {

// A period that many series share shows in some of them, the longest; to mend all of a large panel
// would take as much memory again.
Table longest_series(const Table& table, const std::vector<SeriesRows>& all) {
  constexpr std::size_t kEnough = 64;
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t i) { return all[i].rows.size(); });
  Table some;
  some.source = table.source;
  some.zone = table.zone;
  some.value_column = table.value_column;
  for (const Column& column : table.columns) some.columns.push_back({column.name, column.role, {}});
  for (std::size_t i = 0; i < std::min(kEnough, order.size()); ++i) {
    const SeriesRows& series = all[order[i]];
    for (const std::uint32_t row : series.rows) {
      some.stamps.push_back(table.stamps[row]);
      some.lines.push_back(table.lines[row]);
      some.series.push_back(static_cast<std::uint32_t>(some.series_names.size()));
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        some.columns[c].values.push_back(table.columns[c].values[row]);
      }
    }
    some.series_names.push_back(series.name);
  }
  return some;
}

// Of the table with everything mended that can be without inventing values; where rows do not lie
// on a grid at all, of the rows as they come.
PeriodFinding period_of(const Table& table, const DataSettings& given) {
  DataSettings settings = given;
  settings.bad_rows = BadRows::kDrop;
  settings.order = Order::kSort;
  settings.fill = Fill::kNone;
  if (settings.duplicates == Duplicates::kRefuse) settings.duplicates = Duplicates::kFirst;
  for (const TextColumn& column : table.text_columns) settings.drop.push_back(column.name);
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

Diagnosis examine(const Table& given, const DataSettings& settings) {
  Diagnosis diagnosis;
  // What a zone explains is no fault of the rows: the rest is looked at as read in that zone.
  const std::optional<WallClock> clock = find_wall_clock(given);
  std::optional<Table> zoned;
  if (clock) {
    check_clock(given, *clock, diagnosis.findings);
    zoned = in_zone(given, clock->zones.front());
  }
  const Table& table = zoned ? *zoned : given;
  diagnosis.source = table.source;
  diagnosis.rows = table.rows();
  diagnosis.series = table.series_names.size();
  diagnosis.zone = given.zone.name();
  diagnosis.notes = table.notes;
  for (const Column& column : table.columns) {
    const auto missing = std::count_if(column.values.begin(), column.values.end(),
                                       [](double v) { return std::isnan(v); });
    diagnosis.columns.push_back({column.name, column.role, static_cast<std::size_t>(missing)});
  }
  if (!given.stamps.empty()) {
    const auto [first, last] = std::ranges::minmax_element(given.stamps);
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

  diagnosis.period = period_of(table.is_long() ? longest_series(table, all) : table, settings);

  if (table.likely_long && settings.duplicates == Duplicates::kRefuse) {
    // Whatever else is found of rows that belong to many series would be said of a mixture.
    check_layout(table, diagnosis.findings);
  } else {
    check_rows(table, all, diagnosis.findings);
    if (step) check_steps(table, all, *step, diagnosis.findings);
    check_cells(table, all, diagnosis.findings);
    check_columns(table, all, diagnosis.findings);
    check_twins(table, all, diagnosis.findings);
    check_values(table, all, diagnosis.findings);
    check_length(table, all, step, settings, diagnosis.findings);
  }
  std::stable_sort(diagnosis.findings.begin(), diagnosis.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.kind < b.kind; });
  diagnosis.summary = summarise(diagnosis.findings);
  diagnosis.remedies = list_remedies(diagnosis.findings);
  return diagnosis;
}

}  // namespace pulsecast
