// What a forecast costs: one window through untrained weights on one thread, which costs what
// trained ones do.
#pragma once

#include <cstddef>

#include "pulsecast/data/series/series.h"
#include "pulsecast/settings/settings.h"

namespace pulsecast::benchmark {

struct Cost {
  std::size_t weights = 0;     // that are learned
  std::size_t operations = 0;  // as Tape::spent counts them
  double milliseconds = 0.0;   // median
  std::size_t bytes = 0;       // weights and what a forecast works in
};

// `series` has as many rows as there must be for a plan; its values do not matter.
Cost measure_cost(const Series& series, const Settings& settings);
// The same without the clock, of so many windows that follow each other, by window: what is
// computed once for equal calendars (decision 11) is shared by them.
Cost count_cost(const Series& series, const Settings& settings, std::size_t windows = 1);

}  // namespace pulsecast::benchmark
