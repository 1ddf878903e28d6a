#include "pulsecast/data/series/series.h"

#include <algorithm>
#include <cmath>

namespace pulsecast {

std::size_t target_rows(const Series& series) {
  std::size_t end = 0;
  for (const Channel& channel : series.channels) {
    if (channel.role != Role::kTarget) continue;
    const auto last = std::find_if(channel.values.rbegin(), channel.values.rend(),
                                   [](double value) { return !std::isnan(value); });
    end = std::max(end, static_cast<std::size_t>(channel.values.rend() - last));
  }
  return end;
}

}  // namespace pulsecast
