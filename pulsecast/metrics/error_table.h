// Mean errors, per channel and per step.
#pragma once

#include <vector>

namespace pulsecast {

struct Errors {
  double mse = 0.0;
  double mae = 0.0;
  double rmse = 0.0;  // the root of `mse`, not a mean of roots
};

// Means over every window; overall also over every channel and step. A channel without a window has
// NaN.
struct ErrorTable {
  Errors overall;
  std::vector<Errors> per_channel;  // (C)
  std::vector<Errors> per_step;     // (H)
};

}  // namespace pulsecast
