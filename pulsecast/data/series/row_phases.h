// Phases of the rows of a series, of those before its first and of those after its last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pulsecast/data/series/calendar_plan.h"
#include "pulsecast/data/series/series.h"

namespace pulsecast {

// The stamp of a row, which may be before the first or after the last.
Instant stamp_at(const Series& series, std::int64_t row);

// In [0, plan.period), counted as the plan says; `wall` is the time of the row.
std::int32_t phase_at(const Series& series, const CalendarPlan& plan, std::int64_t row,
                      const WallTime& wall);

// (rows) from `lead` rows before the first on.
std::vector<std::int32_t> row_phases(const Series& series, const CalendarPlan& plan,
                                     std::size_t lead, std::size_t rows);

// The plan of the calendar with another period. Where phases are counted by row there is no other.
CalendarPlan with_period(const CalendarPlan& plan, std::size_t period);

}  // namespace pulsecast
