// The head of a NumPy array: element type, order and shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pulsecast {

struct NpyHeader {
  enum class Type { kFloat, kSigned, kUnsigned };
  Type type = Type::kFloat;
  std::size_t item_bytes = 8;  // 4 or 8 of a float; 1, 2, 4 or 8 of a whole number
  bool is_big_endian = false;
  bool is_fortran_order = false;  // the first index runs fastest
  std::vector<std::uint64_t> shape;
};

// Bytes at the start of every array: magic, version and the header's length.
inline constexpr std::size_t kNpyPreludeBytes = 12;

// Length of prelude and header together, from the prelude. Throws Error(kData).
std::size_t npy_header_bytes(std::string_view prelude, const std::string& source);

// From prelude and header. Throws Error(kData) for what is damaged and for element types that are
// no real numbers; an array of Python objects is never read, since reading one can run code.
NpyHeader read_npy_header(std::string_view bytes, const std::string& source);

}  // namespace pulsecast
