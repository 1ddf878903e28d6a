#include "pulsecast/data/series/series.h"

#include <algorithm>
#include <cmath>

namespace pulsecast {

RowRange rows_with_values(const Channel& channel) {
  const auto is_there = [](double value) { return !std::isnan(value); };
  const auto last = std::find_if(channel.values.rbegin(), channel.values.rend(), is_there);
  if (last == channel.values.rend()) return {channel.begin, channel.begin};
  const auto first = std::find_if(channel.values.begin(), channel.values.end(), is_there);
  return {channel.begin + static_cast<std::size_t>(first - channel.values.begin()),
          channel.begin + static_cast<std::size_t>(channel.values.rend() - last)};
}

bool is_constant(const Channel& channel, RowRange rows) {
  double first = kMissing;
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const double value = channel.at(row);
    if (std::isnan(first)) first = value;
    if (!std::isnan(value) && value != first) return false;
  }
  return true;
}

std::size_t target_rows(const Series& series) {
  std::size_t end = 0;
  for (const Channel& channel : series.channels) {
    if (channel.role == Role::kTarget) end = std::max(end, rows_with_values(channel).end);
  }
  return end;
}

std::vector<const Channel*> some_targets(const Series& series) {
  constexpr std::size_t kMost = 512;
  std::vector<const Channel*> targets;
  for (const Channel& channel : series.channels) {
    if (channel.role == Role::kTarget) targets.push_back(&channel);
  }
  const std::size_t stride = (targets.size() + kMost - 1) / kMost;
  std::vector<const Channel*> some;
  for (std::size_t i = 0; i < targets.size(); i += stride) some.push_back(targets[i]);
  return some;
}

}  // namespace pulsecast
