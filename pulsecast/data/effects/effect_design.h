// What the effects of known columns are linear in.
//
// A column known in advance moves a target by an amount that may bend (comfort lies between cold
// and heat), may depend on another column (rain in the warmth), and may differ with the calendar (a
// holiday on a Sunday changes little). So a row's known values become terms: each column, hinges of
// it at quantiles of the training rows, and products of two; and a row has a group, by its stamp.
// Effects have a weight for each group and term (effects.h).
//
// Terms have mean 0 and deviation 1 over the training rows: an effect is what a row differs by from
// the usual one, and leaves the level of its series alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/step.h"
#include "pulsecast/data/series/row_range.h"
#include "pulsecast/data/series/series.h"

namespace pulsecast {

// Rows of which an effect has weights of its own.
enum class EffectGroups {
  kNone,     // all rows are one
  kHour,     // 48: hours of working days, then of the weekend
  kWeekday,  // 7, Monday first
  kMonth,    // 12
};

class EffectDesign {
 public:
  struct Column {
    double mean = 0.0;  // over the training rows, and the deviation
    double scale = 1.0;
    double low = 0.0;   // a tenth of its values are below and above, or its least and largest where
    double high = 0.0;  // those are one
  };
  struct Term {
    enum class Kind { kLinear, kHinge, kProduct };
    Kind kind = Kind::kLinear;
    std::size_t column = 0;
    std::size_t other = 0;  // of a product
    double knot = 0.0;      // of a hinge, in deviations of the column
    double centre = 0.0;
    double spread = 1.0;
  };

  EffectDesign(std::vector<Column> columns, std::vector<Term> terms, EffectGroups groups);
  // Over the known columns of every target in its rows of `parts`, one a target or one for all. A
  // column that has one value there has no term.
  static EffectDesign of(const Series& series, std::span<const RowRange> parts,
                         EffectGroups groups);

  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<Term>& terms() const { return terms_; }
  EffectGroups groups() const { return groups_; }
  std::size_t group_count() const;

  std::size_t group_of(const WallTime& wall) const;
  // known (K), out (terms); all NaN where a known value is missing.
  void terms_of(std::span<const double> known, std::span<double> out) const;

 private:
  std::vector<Column> columns_;
  std::vector<Term> terms_;
  EffectGroups groups_;
};

// The columns that are known of each target: those of its own series, in their order.
class KnownColumns {
 public:
  // `series` outlives it.
  explicit KnownColumns(const Series& series);
  std::span<const Channel* const> of(const Channel& target) const;

 private:
  std::unordered_map<std::uint32_t, std::vector<const Channel*>> of_series_;
};

// The groups of rows that are whole weeks or years apart by `lag` steps, so that a row and those
// before it are of one group.
EffectGroups groups_for(const Step& step, std::size_t lag);

}  // namespace pulsecast
