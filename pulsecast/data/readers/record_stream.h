// Delimited text cut into chunks of whole records, so that chunks can be parsed at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "pulsecast/data/readers/byte_source.h"

namespace pulsecast {

class RecordStream {
 public:
  static constexpr std::size_t kChunkBytes = std::size_t{1} << 17;
  // A record longer than this is not one: the file has no line ends, or a quote that stays open.
  static constexpr std::size_t kLongestRecord = std::size_t{1} << 26;

  RecordStream(std::unique_ptr<ByteSource> bytes, char separator, std::string source,
               std::size_t chunk_bytes = kChunkBytes);

  // The next chunk: whole records, the last one ended with '\n' also where the file's own end has
  // none. False at the end. Throws Error(kData) for a record without end.
  bool next(std::string& chunk);

 private:
  std::unique_ptr<ByteSource> bytes_;
  char separator_;
  std::string source_;
  std::size_t chunk_bytes_;
  std::string carry_;  // the record that the last chunk cut in two
  std::uint64_t lines_ = 0;
  bool is_done_ = false;
};

}  // namespace pulsecast
