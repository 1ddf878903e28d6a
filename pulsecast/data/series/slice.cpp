#include "pulsecast/data/series/slice.h"

#include <algorithm>

namespace pulsecast {

Series slice(const Series& series, RowRange rows) {
  const auto part = [](const auto& values, std::size_t begin, std::size_t end) {
    return std::vector(values.begin() + static_cast<std::ptrdiff_t>(begin),
                       values.begin() + static_cast<std::ptrdiff_t>(end));
  };
  Series out{series.source, series.zone, series.step, part(series.stamps, rows.begin, rows.end), {},
             series.statics};
  const bool is_long = std::ranges::any_of(series.channels, [&](const Channel& channel) {
    return channel.series != series.channels.front().series;
  });
  for (const Channel& channel : series.channels) {
    const std::size_t begin = std::clamp(channel.begin, rows.begin, rows.end);
    const std::size_t end = std::max(begin, std::min(channel.rows().end, rows.end));
    if (begin == end && is_long) continue;
    out.channels.push_back({channel.name, channel.role,
                            part(channel.values, begin - channel.begin, end - channel.begin),
                            begin - rows.begin, channel.series});
  }
  return out;
}

}  // namespace pulsecast
