// How much of a budget is spent, and what is left of it.
#pragma once

#include <chrono>

#include "pulsecast/base/watch.h"
#include "pulsecast/search/budget.h"
#include "pulsecast/search/trial.h"

namespace pulsecast::search {

class Spending {
 public:
  // `seconds` and `steps` were spent before, by a run that goes on.
  Spending(const Budget& budget, double seconds, std::int64_t steps)
      : budget_(budget),
        before_(seconds),
        start_(std::chrono::steady_clock::now()),
        steps_(steps) {}

  double seconds() const {
    return before_ +
           std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  void add_steps(std::int64_t steps) { steps_ += steps; }
  std::int64_t steps() const { return steps_; }
  bool is_by_steps() const { return budget_.steps.has_value(); }

  // Whether one closed form would take more of a budget in seconds than such a thing is worth. With
  // one in steps nothing is: what is tried would depend on the machine.
  bool is_too_much(double seconds) const;

  // A share of the whole budget for each of `among`, and no more than `most` steps.
  Slice share(double share, std::size_t among, std::int64_t most) const;
  // All that is left, but for what ends a search, for each of `among`.
  Slice rest(std::size_t among, std::int64_t most) const;

  // `running`: steps that were not added yet.
  void tell(const Watch& watch, std::int64_t running) const;

 private:
  Budget budget_;
  double before_;
  std::chrono::steady_clock::time_point start_;
  std::int64_t steps_;
};

}  // namespace pulsecast::search
