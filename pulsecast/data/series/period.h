// The cycle that a series repeats, found by autocorrelation.
//
// A lag is periodic when the autocorrelation has a crest there and at its multiples, and troughs
// half-way between: that tells a cycle from mere persistence, which decays without crests, and
// from a chance crest, whose multiples are none. How clear the crests are also places them: the
// sixth multiple fixes the lag six times as sharply as the lag itself.
//
//   contrast(k) = mean over j = 1 .. 6 of r(j k) - (r((j - 1/2) k) + r((j + 1/2) k)) / 2
//
// Candidates are the lags whose contrast is the highest within 10 % on either side, positive at
// every multiple, and, like their strength r(k), beyond what noise of this colour and length
// gives. The period is the smallest candidate within 3 % of the strongest (or within the noise of
// r), moved to the calendar's multiple (an hour, a day, a week, a year ...) where that is within
// 3 %: a clock drives most cycles.
//
// The channels are combined by averaging their autocorrelations, each channel counting the same,
// and gaps are left out pair by pair.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "pulsecast/calendar/step.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/data/series/split.h"

namespace pulsecast {

struct PeriodCandidate {
  std::size_t lag = 0;    // steps
  double strength = 0.0;  // autocorrelation at that lag
  double contrast = 0.0;  // crests over troughs, as above
};

struct PeriodFinding {
  std::optional<PeriodCandidate> period;    // snapped to the calendar
  std::vector<PeriodCandidate> candidates;  // as measured, strongest first, eight at most
};

// Channels of one length, NaN in gaps. At least four cycles must fit. Of more than 2^18 rows the
// last 2^18 are read.
PeriodFinding find_period(std::span<const std::span<const double>> channels, const Step& step);

// Of the targets, over all rows or over some.
PeriodFinding find_period(const Series& series);
PeriodFinding find_period(const Series& series, RowRange rows);

}  // namespace pulsecast
