// The step of a table's rows.
#pragma once

#include <optional>
#include <vector>

#include "pulsecast/calendar/frequency.h"
#include "pulsecast/data/series/series_rows.h"
#include "pulsecast/data/table/table.h"

namespace pulsecast {

// That of its longest series: a step belongs to the whole table, and short series say little about
// it. Nothing where no two stamps of a series differ.
std::optional<Frequency> step_of(const Table& table, const std::vector<SeriesRows>& all);

}  // namespace pulsecast
