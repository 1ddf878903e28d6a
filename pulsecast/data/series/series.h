// Clean series: one regular grid of steps, every channel a contiguous run of doubles over it.
//
// The only type past the doctor. A channel may still have unfilled gaps (fill = none); they are
// marked, and no window crosses one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/step.h"
#include "pulsecast/calendar/zone.h"
#include "pulsecast/data/series/row_range.h"
#include "pulsecast/data/table/table.h"

namespace pulsecast {

struct Channel {
  std::string name;
  Role role = Role::kTarget;
  std::vector<double> values;  // one per row of the grid; NaN in an unfilled gap or past the end
};

// Whether a channel has no two values that differ in these rows; gaps are no values.
bool is_constant(const Channel& channel, RowRange rows);

struct Series {
  std::string source;
  Zone zone;
  Step step;
  // One a row, ascending. Evenly spaced by `step`, except with `grid rows`, where rows are taken as
  // they come and stamps serve the calendar features alone.
  std::vector<Instant> stamps;
  std::vector<Channel> channels;  // targets first, then known, then past

  std::size_t rows() const { return stamps.size(); }
};

// One past the last row in which the channel has a value.
std::size_t rows_with_values(const Channel& channel);
// One past the last row that has a target: known channels may go on beyond it.
std::size_t target_rows(const Series& series);

}  // namespace pulsecast
