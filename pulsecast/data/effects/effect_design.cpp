#include "pulsecast/data/effects/effect_design.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "pulsecast/base/missing.h"
#include "pulsecast/data/series/cycles.h"

namespace pulsecast {
namespace {

constexpr std::size_t kMostValues = 1 << 17;  // that quantiles are taken of
constexpr std::size_t kFewValues = 10;        // a knot at each, where a column has no more
constexpr std::size_t kFewColumns = 4;        // with knots at tenths, and products
constexpr std::size_t kManyColumns = 16;      // beyond these no bends

// Rows of every target's known columns, thinned evenly where they are many: values (rows, K).
std::vector<double> sample_of(const Series& series, std::span<const RowRange> parts,
                              std::size_t& width) {
  const KnownColumns columns(series);
  std::vector<std::span<const Channel* const>> known;
  std::vector<RowRange> rows;
  std::size_t total = 0;
  std::size_t targets = 0;
  for (const Channel& channel : series.channels) {
    if (channel.role != Role::kTarget) continue;
    const RowRange part = parts[parts.size() == 1 ? 0 : targets];
    ++targets;
    const auto own = columns.of(channel);
    // Targets of one table share their columns.
    if (!known.empty() && own.data() == known.back().data() && part == rows.back()) continue;
    known.push_back(own);
    rows.push_back(part);
    total += part.size();
  }
  width = known.empty() ? 0 : known.front().size();
  const std::size_t stride = total / kMostValues + 1;
  std::vector<double> values;
  std::vector<double> row_values(width);
  std::size_t number = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    for (std::size_t row = rows[i].begin; row < rows[i].end; ++row, ++number) {
      if (number % stride != 0) continue;
      for (std::size_t k = 0; k < width; ++k) row_values[k] = known[i][k]->at(row);
      const auto is_missing = [](double value) { return std::isnan(value); };
      if (std::ranges::any_of(row_values, is_missing)) continue;
      values.insert(values.end(), row_values.begin(), row_values.end());
    }
  }
  return values;
}

struct Moments {
  double mean = 0.0;
  double deviation = 0.0;
};

template <typename ValueOf>
Moments moments_of(std::size_t rows, ValueOf&& value_of) {
  double sum = 0.0;
  for (std::size_t row = 0; row < rows; ++row) sum += value_of(row);
  const double mean = rows == 0 ? 0.0 : sum / static_cast<double>(rows);
  double squares = 0.0;
  for (std::size_t row = 0; row < rows; ++row) {
    squares += (value_of(row) - mean) * (value_of(row) - mean);
  }
  return {mean, rows == 0 ? 0.0 : std::sqrt(squares / static_cast<double>(rows))};
}

double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

// Where a column may bend: at its inner values where they are few, else at quantiles.
std::vector<double> knots_of(const std::vector<double>& sorted, std::size_t columns) {
  std::vector<double> distinct = sorted;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<double> knots;
  if (distinct.size() <= kFewValues) {
    knots = distinct;
  } else if (columns <= kManyColumns) {
    const std::size_t parts = columns <= kFewColumns ? 10 : 5;
    for (std::size_t i = 1; i < parts; ++i) {
      knots.push_back(quantile(sorted, static_cast<double>(i) / static_cast<double>(parts)));
    }
    knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
  }
  std::erase_if(knots,
                [&](double knot) { return knot <= sorted.front() || knot >= sorted.back(); });
  return knots;
}

double raw_term(const EffectDesign::Term& term, std::span<const EffectDesign::Column> columns,
                std::span<const double> known) {
  const auto standard = [&](std::size_t k) {
    return (known[k] - columns[k].mean) / columns[k].scale;
  };
  switch (term.kind) {
    case EffectDesign::Term::Kind::kLinear:
      return standard(term.column);
    case EffectDesign::Term::Kind::kHinge:
      return std::max(0.0, standard(term.column) - term.knot);
    case EffectDesign::Term::Kind::kProduct:
      return standard(term.column) * standard(term.other);
  }
  return 0.0;
}

}  // namespace

EffectDesign::EffectDesign(std::vector<Column> columns, std::vector<Term> terms,
                           EffectGroups groups)
    : columns_(std::move(columns)), terms_(std::move(terms)), groups_(groups) {}

EffectDesign EffectDesign::of(const Series& series, std::span<const RowRange> parts,
                              EffectGroups groups) {
  std::size_t K = 0;
  const std::vector<double> values = sample_of(series, parts, K);
  const std::size_t rows = K == 0 ? 0 : values.size() / K;
  std::vector<Column> columns(K);
  std::vector<Term> candidates;
  std::vector<std::size_t> varying;
  for (std::size_t k = 0; k < K && rows > 0; ++k) {
    std::vector<double> sorted(rows);
    for (std::size_t row = 0; row < rows; ++row) sorted[row] = values[row * K + k];
    std::ranges::sort(sorted);
    Column& column = columns[k];
    column.low = quantile(sorted, 0.1);
    column.high = quantile(sorted, 0.9);
    if (column.low == column.high) {
      column.low = sorted.front();
      column.high = sorted.back();
    }
    const Moments own = moments_of(rows, [&](std::size_t row) { return values[row * K + k]; });
    column.mean = own.mean;
    if (column.low == column.high || !std::isfinite(own.deviation)) continue;
    column.scale = own.deviation;
    varying.push_back(k);
    candidates.push_back({Term::Kind::kLinear, k, 0, 0.0, 0.0, 1.0});
    for (const double knot : knots_of(sorted, K)) {
      candidates.push_back(
          {Term::Kind::kHinge, k, 0, (knot - column.mean) / column.scale, 0.0, 1.0});
    }
  }
  if (varying.size() <= kFewColumns) {
    for (std::size_t i = 0; i < varying.size(); ++i) {
      for (std::size_t j = i + 1; j < varying.size(); ++j) {
        candidates.push_back({Term::Kind::kProduct, varying[i], varying[j], 0.0, 0.0, 1.0});
      }
    }
  }
  constexpr double kNothing = 1e-9;
  std::vector<Term> terms;
  for (Term& term : candidates) {
    const Moments own = moments_of(rows, [&](std::size_t row) {
      return raw_term(term, columns, std::span(values).subspan(row * K, K));
    });
    if (!(own.deviation > kNothing)) continue;
    term.centre = own.mean;
    term.spread = own.deviation;
    terms.push_back(term);
  }
  return {std::move(columns), std::move(terms), groups};
}

std::size_t EffectDesign::group_count() const {
  switch (groups_) {
    case EffectGroups::kNone:
      return 1;
    case EffectGroups::kHour:
      return 48;
    case EffectGroups::kWeekday:
      return 7;
    case EffectGroups::kMonth:
      return 12;
  }
  return 1;
}

std::size_t EffectDesign::group_of(const WallTime& wall) const {
  constexpr std::int32_t kSaturday = 5;
  switch (groups_) {
    case EffectGroups::kNone:
      return 0;
    case EffectGroups::kHour:
      return static_cast<std::size_t>(wall.hour + (wall.weekday >= kSaturday ? 24 : 0));
    case EffectGroups::kWeekday:
      return static_cast<std::size_t>(wall.weekday);
    case EffectGroups::kMonth:
      return static_cast<std::size_t>(wall.month - 1);
  }
  return 0;
}

void EffectDesign::terms_of(std::span<const double> known, std::span<double> out) const {
  assert(known.size() == columns_.size() && out.size() == terms_.size());
  if (std::ranges::any_of(known, [](double value) { return std::isnan(value); })) {
    std::ranges::fill(out, kMissing);
    return;
  }
  for (std::size_t m = 0; m < terms_.size(); ++m) {
    out[m] = (raw_term(terms_[m], columns_, known) - terms_[m].centre) / terms_[m].spread;
  }
}

KnownColumns::KnownColumns(const Series& series) {
  for (const Channel& channel : series.channels) {
    if (channel.role == Role::kKnown) of_series_[channel.series].push_back(&channel);
  }
}

std::span<const Channel* const> KnownColumns::of(const Channel& target) const {
  const auto found = of_series_.find(target.series);
  if (found == of_series_.end()) return {};
  return found->second;
}

EffectGroups groups_for(const Step& step, std::size_t lag) {
  using Cycle = CycleStrength::Cycle;
  const auto is_whole = [&](std::optional<std::size_t> cycle) {
    return cycle && lag % *cycle == 0;
  };
  if (step.is_in_months()) {
    return is_whole(steps_of(Cycle::kYear, step)) ? EffectGroups::kMonth : EffectGroups::kNone;
  }
  if (!is_whole(steps_of(Cycle::kWeek, step))) return EffectGroups::kNone;
  return steps_of(Cycle::kDay, step) ? EffectGroups::kHour : EffectGroups::kWeekday;
}

}  // namespace pulsecast
