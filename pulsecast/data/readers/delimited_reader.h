// CSV and its relatives, wide or long, with or without header and stamps, to a Table.
//
// The steps are files: dialect.h (what separates cells), header.h (names), column_plan.h (what
// each column is), record_stream.h (chunks of whole records), row_block.h (chunk to rows), and
// this one, which runs chunks over the threads and puts the rows together in the file's order. The
// result does not depend on the number of threads. At no time is more of the text held than a few
// chunks, so the memory needed is that of the Table.
#pragma once

#include <memory>
#include <string>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/readers/byte_source.h"
#include "pulsecast/data/readers/reading_progress.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

// `source` names the file in messages. Throws Error(kData) where the text is no table at all, or
// can be read in more than one way; Error(kUsage) where settings contradict it.
Table read_delimited(std::unique_ptr<ByteSource> bytes, const std::string& source,
                     const DataSettings& settings, ThreadPool& threads,
                     const ReadingProgress& progress = {});

}  // namespace pulsecast
