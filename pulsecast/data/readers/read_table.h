// Any file that we read, to a Table.
#pragma once

#include <memory>
#include <string>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/data/readers/byte_source.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

// The file at `path`, "-" for standard input. What it is, is decided by its first bytes and not by
// its name: delimited text, .npz or .npy, zip of one text, or gzip of one of them. A
// folder is a series a file (folder_reader.h). Throws Error:
// kInputOutput when it cannot be read, kData when it is no table, kUsage when the settings do not
// go with it.
Table read_table(const std::string& path, const DataSettings& settings, ThreadPool& threads,
                 const Watch& watch = {});

// The same of bytes from anywhere; `source` names them in messages.
Table read_table(std::unique_ptr<ByteSource> bytes, const std::string& source,
                 const DataSettings& settings, ThreadPool& threads, const Watch& watch = {});

}  // namespace pulsecast
