#include "pulsecast/data/read_series.h"

#include <algorithm>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/readers/frame_reader.h"
#include "pulsecast/data/readers/read_table.h"

namespace pulsecast {

Repaired read_series(const std::string& file, const DataSettings& settings, ThreadPool& threads,
                     const Watch& watch) {
  return repair(read_table(file, settings, threads, watch), settings);
}

Repaired parse_series(std::string_view bytes, const std::string& source,
                      const DataSettings& settings, ThreadPool& threads, const Watch& watch) {
  return repair(read_table(memory_source(bytes), source, settings, threads, watch), settings);
}

Repaired take_series(const Frame& frame, const DataSettings& settings) {
  return repair(read_frame(frame, settings), settings);
}

void keep_what_models_read(Series& series) {
  std::erase_if(series.channels,
                [](const Channel& channel) { return channel.role == Role::kPast; });
  if (std::ranges::count(series.channels, Role::kTarget, &Channel::role) == 0) {
    throw_error(ErrorKind::kUsage, series.source,
                "no column is left to forecast: each is known in advance, past or ignored");
  }
}

}  // namespace pulsecast
