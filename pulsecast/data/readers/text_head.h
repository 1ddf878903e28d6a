// The first bytes of a text file: enough to find out how it is written, and that it is text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pulsecast/data/readers/byte_source.h"
#include "pulsecast/data/readers/dialect.h"

namespace pulsecast {

struct TextHead {
  std::string bytes;    // everything read so far, without a byte-order mark: to be put back
  std::string records;  // its whole lines
  bool is_all = false;  // the file has no more
};

// Throws Error(kData) for an empty file, and for one that is not text with a row per line, saying
// what it is instead where that can be told.
TextHead take_head(ByteSource& bytes, const std::string& source);

// Rows to expect of a file of `size` bytes and so many columns, a little too many rather than too
// few, but never more cells than bytes.
std::size_t expected_rows(const TextHead& head, std::uint64_t size, std::size_t columns);

// Takes off what stands above the header: lines of comment that begin with '#', titles of one cell.
// Gives the number of lines.
std::uint64_t cut_preamble(TextHead& head, const Dialect& dialect);

// Takes the first record off, and blank lines before it; gives the number of lines taken.
std::uint64_t cut_header(std::string& chunk, const Dialect& dialect);

}  // namespace pulsecast
