#include "pulsecast/data/read_series.h"

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

}  // namespace pulsecast
