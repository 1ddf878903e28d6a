// Values that hardly are measurements, told from the values of their own channel alone.
//
//   code     a number that stands for no value: -999, 99999, or -1 where nothing else is negative
//   far      a value far beyond all others: a slipped decimal point, a counter that ran over
//   stuck    a run of one value in a channel that otherwise changes nearly every row
//
// Real peaks have company: the flood of a century has high water around it, and the best day of
// a shop is not twenty times the second best. So a value is far by its distance from the nearest
// other one, never by its rank, and what comes again and again is not called far (decision 50).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace pulsecast {

struct OddRun {
  enum class Kind { kCode, kFar, kStuck };
  Kind kind;
  std::size_t begin;  // rows, with missing values between them
  std::size_t end;
  std::size_t count;  // of values
  double value;       // of a far run the farthest
};

struct OddValues {
  std::vector<OddRun> runs;  // by begin
  double low = 0;            // of all other values
  double high = 0;
};

// Of the values of one channel in order of time; NaN where there is none.
OddValues find_odd_values(std::span<const double> values);

// From one row on, or between two, values are measured in another unit: all of them lie apart
// from the rest, by the ratio of two units, and vary as much for their size.
struct UnitChange {
  std::size_t begin;
  std::size_t end;
  double factor;  // a value there is that many times what it would be
};

std::optional<UnitChange> find_unit_change(std::span<const double> values);

}  // namespace pulsecast
