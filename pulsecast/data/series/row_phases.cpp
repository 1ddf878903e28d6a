#include "pulsecast/data/series/row_phases.h"

#include <cassert>

#include "pulsecast/calendar/phase.h"

namespace pulsecast {

Instant stamp_at(const Series& series, std::int64_t row) {
  const auto behind = row - static_cast<std::int64_t>(series.rows()) + 1;  // the last row
  if (row < 0) return series.step.add(series.stamps.front(), row, series.zone);
  if (behind <= 0) return series.stamps[static_cast<std::size_t>(row)];
  return series.step.add(series.stamps.back(), behind, series.zone);
}

std::int32_t phase_at(const Series& series, const CalendarPlan& plan, std::int64_t row,
                      const WallTime& wall) {
  if (plan.phase == PhaseSource::kTimestamp) return phase_of(wall, series.step, plan.period);
  const std::int64_t phase = (row + plan.first_phase) % plan.period;
  return static_cast<std::int32_t>(phase < 0 ? phase + plan.period : phase);
}

std::vector<std::int32_t> row_phases(const Series& series, const CalendarPlan& plan,
                                     std::size_t lead, std::size_t rows) {
  std::vector<std::int32_t> phases(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto row = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(lead);
    phases[i] = phase_at(series, plan, row, series.zone.to_wall(stamp_at(series, row)));
  }
  return phases;
}

CalendarPlan with_period(const CalendarPlan& plan, std::size_t period) {
  assert(plan.phase == PhaseSource::kTimestamp || static_cast<std::size_t>(plan.period) == period);
  CalendarPlan other = plan;
  other.period = static_cast<std::int32_t>(period);
  return other;
}

}  // namespace pulsecast
