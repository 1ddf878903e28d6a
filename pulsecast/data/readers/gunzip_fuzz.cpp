// Any bytes as gzip, read in pieces of two sizes: the pieces must not matter.

#include <cstdint>
#include <optional>

#include "pulsecast/data/readers/fuzz_table.h"
#include "pulsecast/data/readers/gunzip.h"

namespace {

using namespace pulsecast;

// What comes out, up to a megabyte, and whether the end was sound.
struct Output {
  std::string bytes;
  bool is_sound = true;
  friend bool operator==(const Output&, const Output&) = default;
};

Output gunzip(std::string_view compressed, std::size_t piece) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  Output output;
  const auto source = gunzip_source(memory_source(compressed), "fuzz");
  std::string buffer(piece, '\0');
  try {
    while (output.bytes.size() < kMost) {
      const std::size_t count = source->read(buffer);
      output.bytes.append(buffer, 0, count);
      if (count < piece) break;
    }
  } catch (const Error& error) {
    fuzzing::require(!error.message().empty());
    output.is_sound = false;
  }
  return output;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Output large = gunzip(bytes, 1 << 16);
  const Output small = gunzip(bytes, 64);
  // Before damage the larger piece may be lost with the error, so only sound ends are compared.
  fuzzing::require(large.is_sound == small.is_sound || large.bytes.size() >= (1 << 20));
  if (large.is_sound && small.is_sound && large.bytes.size() < (1 << 20)) {
    fuzzing::require(large == small);
  }
  // What is no gzip is read as plain text, which csv_wide_fuzz does better.
  if (bytes.starts_with("\x1f\x8b")) fuzzing::read_and_repair(bytes, {});
  return 0;
}
