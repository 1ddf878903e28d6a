#include "pulsecast/data/effects/effect_rows.h"

#include <algorithm>

namespace pulsecast {

void EffectRows::read(const Series& series, std::span<const Channel* const> known, RowRange rows) {
  const bool are_read = rows == rows_ && !groups_.empty() && std::ranges::equal(known, known_);
  if (are_read) return;
  known_.assign(known.begin(), known.end());
  const bool is_same_time = rows == rows_ && !groups_.empty();
  rows_ = rows;
  const std::size_t M = design_->terms().size();
  terms_.resize(rows.size() * M);
  groups_.resize(rows.size());
  values_.resize(known.size());
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const std::size_t i = row - rows.begin;
    for (std::size_t k = 0; k < known.size(); ++k) values_[k] = known[k]->at(row);
    design_->terms_of(values_, std::span(terms_).subspan(i * M, M));
    if (is_same_time) continue;
    const Instant stamp =
        row < series.rows()
            ? series.stamps[row]
            : series.step.add(series.stamps.back(),
                              static_cast<std::int64_t>(row - series.rows() + 1), series.zone);
    groups_[i] = design_->group_of(series.zone.to_wall(stamp));
  }
}

}  // namespace pulsecast
