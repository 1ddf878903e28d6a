#include "pulsecast/data/statics/static_profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace pulsecast {

StaticProfiles::StaticProfiles(std::vector<StaticGroups> columns, std::size_t period,
                               std::vector<double> values)
    : columns_(std::move(columns)), period_(period), values_(std::move(values)) {
  std::size_t groups = 0;
  for (const StaticGroups& column : columns_) {
    first_.push_back(groups);
    groups += column.size();
  }
  assert(values_.size() == groups * period_);
}

std::span<const double> StaticProfiles::of_group(std::size_t column, std::size_t group) const {
  return std::span(values_).subspan((first_[column] + group) * period_, period_);
}

const std::string& StaticProfiles::value_of(const Series& series, std::size_t column,
                                            std::uint32_t number) const {
  static const std::string nothing;
  const auto found =
      std::ranges::find(series.statics, columns_[column].column, &StaticColumn::name);
  return found == series.statics.end() ? nothing : found->values[number];
}

std::vector<double> StaticProfiles::of_series(const Series& series, std::uint32_t number) const {
  std::vector<double> profile(period_, 0.0);
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const auto group = columns_[k].of(value_of(series, k, number));
    if (!group) continue;
    const std::span<const double> own = of_group(k, *group);
    for (std::size_t phase = 0; phase < period_; ++phase) profile[phase] += own[phase];
  }
  return profile;
}

std::string StaticProfiles::unknown_of(const Series& series, std::uint32_t number) const {
  std::string text;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const std::string& value = value_of(series, k, number);
    if (columns_[k].of(value)) continue;
    text += fmt::format("{}{} ", text.empty() ? "" : ", ", columns_[k].column);
    text += value.empty() ? "that is not said" : fmt::format("'{}'", value);
  }
  return text;
}

}  // namespace pulsecast
