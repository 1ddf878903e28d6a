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

// The step to resample to: the rows' own where most of them keep it, else a round one, such as 30s
// or 15min, that is about as long as half of the distances between rows.
Step resample_step(const Table& table, const std::vector<SeriesRows>& all);

}  // namespace pulsecast
