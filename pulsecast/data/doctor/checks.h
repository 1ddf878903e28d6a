// The doctor's checks. Each adds what it finds to a list, in the order of the file.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "pulsecast/calendar/step.h"
#include "pulsecast/data/doctor/finding.h"
#include "pulsecast/data/series/series_rows.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/data/table/wall_clock.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

// Rows of many series that were read as one's.
void check_layout(const Table& table, std::vector<Finding>& findings);

// Hours that a wall clock shows twice or skips, in stamps without a zone.
void check_clock(const Table& table, const WallClock& clock, std::vector<Finding>& findings);

// Lines that are no rows, rows out of order, repeated stamps.
void check_rows(const Table& table, const std::vector<SeriesRows>& all,
                std::vector<Finding>& findings);

// Gaps, rows between two steps, changes of the step.
void check_steps(const Table& table, const std::vector<SeriesRows>& all, const Step& step,
                 std::vector<Finding>& findings);

// Cells without a finite number.
void check_cells(const Table& table, const std::vector<SeriesRows>& all,
                 std::vector<Finding>& findings);

// Values that hardly are measurements, and stretches in another unit.
void check_values(const Table& table, const std::vector<SeriesRows>& all,
                  std::vector<Finding>& findings);

// Columns of text, columns that never change, channels that died.
void check_columns(const Table& table, const std::vector<SeriesRows>& all,
                   std::vector<Finding>& findings);

// Series of a long file that are another one over again.
void check_twins(const Table& table, const std::vector<SeriesRows>& all,
                 std::vector<Finding>& findings);

// Series with fewer steps than a window of look-back and horizon needs.
void check_length(const Table& table, const std::vector<SeriesRows>& all,
                  const std::optional<Step>& step, const DataSettings& settings,
                  std::vector<Finding>& findings);

}  // namespace pulsecast
