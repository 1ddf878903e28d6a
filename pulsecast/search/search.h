// The best forecast that a budget buys: candidates are tried on validation, cheap ones first, and
// those that speak for themselves go on; what misses least together is the model.
//
//   1. Forecasters in closed form (seasonal naive, ridges of several look-backs) are solved.
//   2. Every candidate that is trained has a slice of the budget. The half that has most to give to
//      the blend of all goes on for a second.
//   3. The best of those are trained to the end, with the rest of the budget, at a falling rate;
//      where it reaches further, from more than one start.
//   4. Shares in the forecast are those with which all together miss least on validation.
//
// None of it looks at a test row. With a budget in steps the model is a pure function of data,
// settings and seed; with one in seconds it depends on how fast the machine is.
#pragma once

#include "pulsecast/search/budget.h"
#include "pulsecast/train/fit.h"

namespace pulsecast::search {

struct Found {
  train::Fitted fitted;
  std::vector<train::Tried> tried;
};

// None where the settings ask for one training: budget none, or none told of a panel. As train::fit
// otherwise.
std::optional<Found> find(const Series& series, const Settings& told, bool refit,
                          const train::FitHooks& hooks, ThreadPool& pool);

}  // namespace pulsecast::search
