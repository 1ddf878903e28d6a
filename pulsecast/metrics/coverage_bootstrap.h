// How sure a coverage is.
//
// Windows of stride 1 share most of their future, so whether their ranges held goes up and down
// together: the binomial range for so many windows is far too narrow. A bootstrap of blocks draws
// whole stretches of windows anew, with what hangs together inside them (Künsch, 1989); the stretch
// is taken round from the end to the beginning, so that every window is as likely.
#pragma once

#include <cstddef>
#include <span>

namespace pulsecast {

struct CoverageRange {
  double lower = 0.0;
  double upper = 0.0;
};

// hits (windows): what share of each window's values lay inside, in the order of time. block: how
// many windows hang together, such as the horizon. The middle `level` percent of `draws` redrawn
// means; the same bits every time. NaN without a window.
CoverageRange coverage_range(std::span<const double> hits, std::size_t block, double level = 95.0,
                             std::size_t draws = 1000);

}  // namespace pulsecast
