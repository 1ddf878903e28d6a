// Bytes from a file, from standard input or from memory, one piece after another.
//
// Everything that reads a table reads through this, so that a pipe and a file of any size look the
// same and nobody holds a whole file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pulsecast {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills `bytes`; fewer than asked come only at the end. Throws Error(kInputOutput) when the
  // operating system refuses, and Error(kData) when compressed bytes are damaged.
  virtual std::size_t read(std::span<char> bytes) = 0;
  // Bytes in all, where that is known without reading them.
  virtual std::optional<std::uint64_t> size() const { return std::nullopt; }
};

// A file by its path; "-" is standard input.
std::unique_ptr<ByteSource> open_file(const std::string& path);

// Bytes that are in memory already; they must outlive the source.
std::unique_ptr<ByteSource> memory_source(std::string_view bytes);

// `head`, then what `rest` still has: puts back what was read to look at it.
std::unique_ptr<ByteSource> chained_source(std::string head, std::unique_ptr<ByteSource> rest);

// Everything that is left. Throws Error(kData) past `most` bytes.
std::string read_all(ByteSource& source, std::size_t most, const std::string& name);

}  // namespace pulsecast
