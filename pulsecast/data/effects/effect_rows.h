// The terms and groups of consecutive rows (effect_design.h), computed once for all targets that
// they are of.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pulsecast/data/effects/effect_design.h"
#include "pulsecast/data/series/series.h"

namespace pulsecast {

class EffectRows {
 public:
  // `design` outlives it.
  explicit EffectRows(const EffectDesign& design) : design_(&design) {}

  // Rows of `series`, which may go on past its last by its step. `known` are the columns of the
  // target at hand; nothing is computed where they and the rows are those of the last call.
  void read(const Series& series, std::span<const Channel* const> known, RowRange rows);

  // Of a row that was read, counted as in the series. Terms are NaN where a known value is missing.
  std::span<const double> terms(std::size_t row) const {
    const std::size_t M = design_->terms().size();
    return std::span(terms_).subspan((row - rows_.begin) * M, M);
  }
  std::size_t group(std::size_t row) const { return groups_[row - rows_.begin]; }

 private:
  const EffectDesign* design_;
  std::vector<const Channel*> known_;
  RowRange rows_;
  std::vector<double> terms_;        // (rows, terms)
  std::vector<std::size_t> groups_;  // (rows)
  std::vector<double> values_;       // (K) of the row at hand
};

}  // namespace pulsecast
