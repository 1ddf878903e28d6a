#include "pulsecast/data/series/series.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/base/missing.h"

namespace pulsecast {

std::size_t rows_with_values(const Channel& channel) {
  const auto last = std::find_if(channel.values.rbegin(), channel.values.rend(),
                                 [](double value) { return !std::isnan(value); });
  return static_cast<std::size_t>(channel.values.rend() - last);
}

bool is_constant(const Channel& channel, RowRange rows) {
  double first = kMissing;
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const double value = channel.values[row];
    if (std::isnan(first)) first = value;
    if (!std::isnan(value) && value != first) return false;
  }
  return true;
}

std::size_t target_rows(const Series& series) {
  std::size_t end = 0;
  for (const Channel& channel : series.channels) {
    if (channel.role == Role::kTarget) end = std::max(end, rows_with_values(channel));
  }
  return end;
}

}  // namespace pulsecast
