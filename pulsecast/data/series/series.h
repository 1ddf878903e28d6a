// Clean series: one regular grid of steps, every channel a contiguous run of doubles on it.
//
// The only type past the doctor. A channel may still have unfilled gaps (fill = none); they are
// marked, and no window crosses one. A channel takes memory for its own rows alone, so that a panel
// of thousands of series that begin and end at different times weighs what its values weigh.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pulsecast/base/missing.h"
#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/step.h"
#include "pulsecast/calendar/zone.h"
#include "pulsecast/data/series/row_range.h"
#include "pulsecast/data/table/table.h"

namespace pulsecast {

struct Channel {
  std::string name;
  Role role = Role::kTarget;
  std::vector<double> values;  // of consecutive rows; NaN in an unfilled gap or past the end
  std::size_t begin = 0;       // row of the grid that the first of them is of
  // Of a long table, the number of the series that the channel is of: its target and the columns
  // that are known of it share one. 0 for every channel of a wide table.
  std::uint32_t series = 0;

  RowRange rows() const { return {begin, begin + values.size()}; }
  // NaN in rows where it has none.
  double at(std::size_t row) const {
    return row >= begin && row - begin < values.size() ? values[row - begin] : kMissing;
  }
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
  // Of a long table: what is the same in all rows of a series, by Channel::series.
  std::vector<StaticColumn> statics = {};

  std::size_t rows() const { return stamps.size(); }
};

// The targets, or of thousands some that are spread over them all: more do not make a cycle any
// clearer.
std::vector<const Channel*> some_targets(const Series& series);

// From the first row in which the channel has a value to the last; empty where it has none.
RowRange rows_with_values(const Channel& channel);
// One past the last row that has a target: known channels may go on beyond it.
std::size_t target_rows(const Series& series);

}  // namespace pulsecast
