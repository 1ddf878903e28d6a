// The one way from rows, wherever they are, to series: read, then repaired as the settings say.
#pragma once

#include <string>
#include <string_view>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/data/repair/repair.h"
#include "pulsecast/data/table/frame.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

// A file, "-" for standard input.
Repaired read_series(const std::string& file, const DataSettings& settings, ThreadPool& threads,
                     const Watch& watch = {});
// Bytes of such a file; `source` names them in messages.
Repaired parse_series(std::string_view bytes, const std::string& source,
                      const DataSettings& settings, ThreadPool& threads, const Watch& watch = {});
// Rows in memory.
Repaired take_series(const Frame& frame, const DataSettings& settings);

}  // namespace pulsecast
