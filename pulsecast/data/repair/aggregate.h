// What becomes of the rows that fall into one step of a resampled grid.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pulsecast {

enum class Aggregate { kMean, kSum, kLast, kMin, kMax };

// "mean", "sum" ...
const char* name(Aggregate aggregate);

// Of each of these columns, as the setting 'resample-by' says: a word for all, or COLUMN=WORD for
// one; means where it says nothing. Throws Error(kUsage) for other words and columns, in `source`.
std::vector<Aggregate> aggregates_of(const std::vector<std::string>& told,
                                     const std::vector<std::string>& columns,
                                     const std::string& source);

// Values one after another to the value of their step.
class Aggregator {
 public:
  explicit Aggregator(Aggregate aggregate) : aggregate_(aggregate) {}

  void add(double value);
  // NaN where there was no value. Begins the next step.
  double take();

 private:
  Aggregate aggregate_;
  double value_ = 0;
  std::size_t count_ = 0;
};

}  // namespace pulsecast
