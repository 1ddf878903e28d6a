// What ranges came to, per channel and per step.
#pragma once

#include <vector>

namespace pulsecast {

// Means over windows. A range that promises a level of 80 should have a coverage near 0.8, with
// `below` and `above` near 0.1 each.
struct IntervalErrors {
  double coverage = 0.0;  // share of values that lay inside, bounds included
  double below = 0.0;     // share that lay under the lower bound
  double above = 0.0;
  double width = 0.0;
  // Width and, where a value lies outside, 2/alpha times how far: the least is expected of the true
  // quantiles (Gneiting and Raftery, 2007).
  double score = 0.0;
};

// A channel without a window has NaN.
struct IntervalTable {
  double level = 0.0;  // in percent
  IntervalErrors overall;
  std::vector<IntervalErrors> per_channel;  // (C)
  std::vector<IntervalErrors> per_step;     // (H)
};

}  // namespace pulsecast
