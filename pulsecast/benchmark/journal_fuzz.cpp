// Any bytes as records of a study: records that are written as they were read, or an Error with its
// line. Records of format 1 have no checksum, so that damage gets past it.

#include "pulsecast/benchmark/journal.h"

#include <cstdint>
#include <cstdlib>

#include "pulsecast/base/error.h"
#include "pulsecast/testing/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pulsecast;
  const testing::MemoryFile file(data, size);
  try {
    const benchmark::JournalContents journal = benchmark::read_journal(file.path());
    if (journal.whole_bytes > size) std::abort();
    for (const benchmark::RunRecord& record : journal.records) {
      const std::string line = benchmark::to_line(record);
      if (benchmark::to_line(benchmark::parse_record(line, "again")) != line) std::abort();
    }
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
