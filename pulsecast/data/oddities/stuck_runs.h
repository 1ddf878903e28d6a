// Runs of one value in a channel that otherwise changes nearly every row.
#pragma once

#include <span>
#include <vector>

#include "pulsecast/data/oddities/odd_values.h"

namespace pulsecast {

// Of values between `low` and `high`, which are the ends of what is usual: runs of the lowest
// value, the highest and zero are nights, limits and days off.
std::vector<OddRun> stuck_runs(std::span<const double> values, double low, double high);

}  // namespace pulsecast
