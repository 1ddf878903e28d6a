// The records of a study on disk: OUT/runs.jsonl, a line a finished run.
//
// A line is appended in one write and synced. A kill or a power cut can leave a last line that is
// cut short or garbled; it is noticed when the file is next opened, taken off, and its run is done
// again. A line anywhere else that cannot be read is an error: nobody but a hand or a failing disk
// can have made it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pulsecast/benchmark/run_record.h"

namespace pulsecast::benchmark {

// `path` need not exist. What is damaged at its end is in `damaged`, and not in `records`.
struct JournalContents {
  std::vector<RunRecord> records;
  std::string damaged;      // the last line as it stands, else empty
  std::size_t whole_bytes;  // of the file that are records
  bool ends_line;           // the last of them, if it is whole
};
// Throws Error(kData) with file and line, Error(kInputOutput).
JournalContents read_journal(const std::filesystem::path& path);

class Journal {
 public:
  // Reads the file and takes a damaged last line off it.
  explicit Journal(std::filesystem::path path);

  const std::vector<RunRecord>& records() const { return contents_.records; }
  bool was_damaged() const { return !contents_.damaged.empty(); }
  // The newest record of a run; null where there is none.
  const RunRecord* find(const RunKey& key) const;
  // Throws Error(kInputOutput); the record is then not kept.
  void append(const RunRecord& record);

 private:
  std::filesystem::path path_;
  JournalContents contents_;
};

}  // namespace pulsecast::benchmark
