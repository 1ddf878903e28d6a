#include "pulsecast/data/readers/record_stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "pulsecast/base/error.h"
#include "pulsecast/data/readers/cell_cursor.h"

namespace pulsecast {

RecordStream::RecordStream(std::unique_ptr<ByteSource> bytes, char separator, std::string source,
                           std::size_t chunk_bytes)
    : bytes_(std::move(bytes)),
      separator_(separator),
      source_(std::move(source)),
      chunk_bytes_(chunk_bytes) {}

bool RecordStream::next(std::string& chunk) {
  // Copied rather than swapped: the caller's chunk keeps its memory from one call to the next.
  chunk.assign(carry_);
  carry_.clear();
  for (std::size_t wanted = chunk_bytes_; !is_done_; wanted *= 2) {
    const std::size_t before = chunk.size();
    chunk.resize(before + wanted);
    const std::size_t count = bytes_->read({chunk.data() + before, wanted});
    chunk.resize(before + count);
    is_done_ = count < wanted;
    if (is_done_ && !chunk.empty() && chunk.back() != '\n') chunk += '\n';
    bool is_quote_open = false;
    const std::size_t end = end_of_records(chunk, separator_, is_quote_open);
    if (end > 0 && !(is_done_ && is_quote_open)) {
      carry_.assign(chunk, end);
      chunk.resize(end);
      break;
    }
    if (is_quote_open && (is_done_ || chunk.size() > kLongestRecord)) {
      const auto first_line =
          std::count(chunk.begin(), chunk.begin() + static_cast<long>(end), '\n');
      throw_error(
          ErrorKind::kData,
          fmt::format("{}:{}", source_, lines_ + static_cast<std::uint64_t>(first_line) + 1),
          "a quote is opened in this line and not closed{}. Close it, or double quotes that "
          "belong to the text.",
          is_done_ ? "" : fmt::format(" within {} bytes", chunk.size()));
    }
    if (chunk.size() > kLongestRecord) {
      throw_error(ErrorKind::kData, fmt::format("{}:{}", source_, lines_ + 1),
                  "the line does not end within {} bytes. Is this a text file with a row a line?",
                  chunk.size());
    }
  }
  lines_ += static_cast<std::uint64_t>(std::count(chunk.begin(), chunk.end(), '\n'));
  return !chunk.empty();
}

}  // namespace pulsecast
