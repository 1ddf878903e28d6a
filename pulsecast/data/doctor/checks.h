// The doctor's checks. Each adds what it finds to a list, in the order of the file.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "pulsecast/calendar/step.h"
#include "pulsecast/data/doctor/finding.h"
#include "pulsecast/data/series/series_rows.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

// Lines that are no rows, rows out of order, repeated stamps.
void check_rows(const Table& table, const std::vector<SeriesRows>& all,
                std::vector<Finding>& findings);

// Gaps, rows between two steps, changes of the step.
void check_steps(const Table& table, const std::vector<SeriesRows>& all, const Step& step,
                 std::vector<Finding>& findings);

// Cells without a finite number. Columns of text are not listed cell by cell.
void check_cells(const Table& table, const std::vector<SeriesRows>& all,
                 std::vector<Finding>& findings);

// Columns of text, columns that never change, channels that died.
void check_columns(const Table& table, const std::vector<SeriesRows>& all,
                   std::vector<Finding>& findings);

// Series with fewer steps than a window of look-back and horizon needs.
void check_length(const Table& table, const std::vector<SeriesRows>& all,
                  const std::optional<Step>& step, const DataSettings& settings,
                  std::vector<Finding>& findings);

// Whether most of what a column holds is text. One a column.
std::vector<bool> text_columns(const Table& table);

}  // namespace pulsecast
