// How strongly a series repeats the calendar's cycles: the day, the week and the year.
//
// Autocorrelation (period.h) names the one lag that repeats best, whatever it is. A calendar has
// several, and the weaker ones matter too: hourly loads repeat the day, and what the day leaves
// unexplained repeats the week. So each cycle of the calendar is asked for its share, the fastest
// first. Of a channel without its straight line and without the mean of every cycle,
//
//   share = (variance of the means of each phase - what chance gives) / variance
//
// where phases are of the wall clock (steps of a day and a week, months of a year) and what faster
// cycles explain is taken out of both. n cycles that have nothing in common still have means by
// phase with 1/n of the variance: that is what chance gives, and less where a phase spans many rows
// that are nearly independent. Channels count the same.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pulsecast/data/series/row_range.h"
#include "pulsecast/data/series/series.h"

namespace pulsecast {

struct CycleStrength {
  enum class Cycle { kDay, kWeek, kYear };
  Cycle cycle = Cycle::kDay;
  std::size_t steps = 0;  // rounded for the year
  double share = 0.0;     // of the variance that faster cycles leave
  double error = 0.0;     // of that share, where there is no such cycle

  // Beyond chance, and worth to be told to a model.
  bool is_strong() const;
};

// "day", "week", "year".
std::string_view name(CycleStrength::Cycle cycle);

// Over the targets in these rows, fastest first: the cycles that have at least two steps, of which
// at least three fit. Of more than 2^17 rows the last are read.
std::vector<CycleStrength> measure_cycles(const Series& series, RowRange rows);

// The steps of a cycle, unless it has less than two or is no whole number of them; a year is
// rounded.
std::optional<std::size_t> steps_of(CycleStrength::Cycle cycle, const Step& step);

}  // namespace pulsecast
