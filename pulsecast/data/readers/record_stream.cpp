#include "pulsecast/data/readers/record_stream.h"

#include <fmt/format.h>

#include <string_view>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/readers/cell_cursor.h"

namespace pulsecast {
namespace {

// From one line end to the next with memchr, which steps over a wide row faster than std::count.
std::uint64_t line_ends(std::string_view text) {
  std::uint64_t count = 0;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string_view::npos; ++at) ++count;
  return count;
}

}  // namespace

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
      const std::uint64_t line = lines_ + line_ends(std::string_view(chunk).substr(0, end)) + 1;
      throw make_error(ErrorKind::kData, Place(source_).at_line(line),
                       "a quote is opened in this line and not closed{}",
                       is_done_ ? "" : fmt::format(" within {} bytes", chunk.size()))
          .with(remedy::advice("close it"))
          .with(remedy::advice("double quotes that belong to the text"));
    }
    if (chunk.size() > kLongestRecord) {
      throw_error(ErrorKind::kData, Place(source_).at_line(lines_ + 1),
                  "the line does not end within {} bytes. Is this a text file with a row a line?",
                  chunk.size());
    }
  }
  lines_ += line_ends(chunk);
  return !chunk.empty();
}

}  // namespace pulsecast
