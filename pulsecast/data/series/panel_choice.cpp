#include "pulsecast/data/series/panel_choice.h"

#include <fmt/format.h>

#include <algorithm>

namespace pulsecast {
namespace {

constexpr std::size_t kManySeries = 32;  // of a long file

// Whether targets begin or end at different rows.
bool is_ragged(const Series& series) {
  std::optional<RowRange> first;
  for (const Channel& channel : series.channels) {
    if (channel.role != Role::kTarget) continue;
    const RowRange own = rows_with_values(channel);
    if (!first) first = own;
    if (!(own == *first)) return true;
  }
  return false;
}

}  // namespace

bool is_long(const Series& series) {
  return std::ranges::any_of(series.channels,
                             [](const Channel& channel) { return channel.series != 0; });
}

std::optional<std::string> why_each_alone(const Series& series) {
  const auto targets =
      static_cast<std::size_t>(std::ranges::count(series.channels, Role::kTarget, &Channel::role));
  if (targets > kMostTogether) {
    return fmt::format("{} are too many for weights of their own", targets);
  }
  if (!series.statics.empty()) return "static columns are told of series";
  if (!is_long(series)) return std::nullopt;
  if (targets > kManySeries) return fmt::format("a long file of {} series", targets);
  if (is_ragged(series)) return "the series of a long file begin or end at different times";
  return std::nullopt;
}

}  // namespace pulsecast
