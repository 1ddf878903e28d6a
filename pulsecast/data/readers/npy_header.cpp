#include "pulsecast/data/readers/npy_header.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostHeaderBytes = 1 << 16;

[[noreturn]] void refuse(const std::string& source, const std::string& what) {
  throw_error(ErrorKind::kData, source, "{}", what);
}

std::size_t byte(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

// What follows "'key':" in the header, which is a Python dictionary on one line.
std::string_view value_of(std::string_view text, std::string_view key, const std::string& source) {
  const std::size_t at = text.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) {
    refuse(source, fmt::format("the array's header has no '{}': '{}'", key, text.substr(0, 80)));
  }
  std::string_view value = text.substr(at + key.size() + 3);
  while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
  return value;
}

void read_type(std::string_view value, NpyHeader& header, const std::string& source) {
  const std::size_t close = value.empty() ? std::string_view::npos : value.find('\'', 1);
  const std::string_view descr =
      close == std::string_view::npos ? value.substr(0, 16) : value.substr(1, close - 1);
  const auto refuse_type = [&] {
    refuse(source,
           fmt::format("elements of type '{}' are not read; expected floats of 4 or 8 bytes or "
                       "whole numbers. Convert the array with .astype('float64').",
                       descr));
  };
  if (descr.size() != 3 || value.front() != '\'') refuse_type();
  header.is_big_endian = descr[0] == '>';
  if (descr[0] != '<' && descr[0] != '>' && descr[0] != '|') refuse_type();
  header.item_bytes = static_cast<std::size_t>(descr[2] - '0');
  const bool is_whole_size =
      descr[2] == '1' || descr[2] == '2' || descr[2] == '4' || descr[2] == '8';
  switch (descr[1]) {
    case 'f':
      header.type = NpyHeader::Type::kFloat;
      if (descr[2] != '4' && descr[2] != '8') refuse_type();
      break;
    case 'i':
      header.type = NpyHeader::Type::kSigned;
      if (!is_whole_size) refuse_type();
      break;
    case 'u':
    case 'b':
      header.type = NpyHeader::Type::kUnsigned;
      if (!is_whole_size || (descr[1] == 'b' && descr[2] != '1')) refuse_type();
      break;
    default:
      refuse_type();
  }
}

void read_shape(std::string_view value, NpyHeader& header, const std::string& source) {
  const auto damaged = [&] {
    refuse(source, fmt::format("the array's shape cannot be read: '{}'", value.substr(0, 40)));
  };
  const std::size_t close = value.find(')');
  if (value.empty() || value.front() != '(' || close == std::string_view::npos) damaged();
  const char* at = value.data() + 1;
  const char* end = value.data() + close;
  while (at < end) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    std::uint64_t extent = 0;
    const auto [next, status] = std::from_chars(at, end, extent);
    if (status != std::errc() || header.shape.size() == 8) damaged();
    header.shape.push_back(extent);
    at = next;
  }
}

}  // namespace

std::size_t npy_header_bytes(std::string_view prelude, const std::string& source) {
  if (prelude.size() < kNpyPreludeBytes || !prelude.starts_with(kMagic)) {
    refuse(source, "this is no NumPy array: it does not begin with NumPy's mark");
  }
  const std::size_t version = byte(prelude, 6);
  if (version < 1 || version > 3) {
    refuse(source,
           fmt::format("the array has format version {}; versions 1 to 3 are read", version));
  }
  const std::size_t length = version == 1 ? byte(prelude, 8) | byte(prelude, 9) << 8
                                          : byte(prelude, 8) | byte(prelude, 9) << 8 |
                                                byte(prelude, 10) << 16 | byte(prelude, 11) << 24;
  const std::size_t prelude_bytes = version == 1 ? 10 : 12;
  if (length > kMostHeaderBytes || prelude_bytes + length < kNpyPreludeBytes) {
    refuse(source, fmt::format("the array's header claims {} bytes, which is damage", length));
  }
  return prelude_bytes + length;
}

NpyHeader read_npy_header(std::string_view bytes, const std::string& source) {
  const std::size_t prelude_bytes = byte(bytes, 6) == 1 ? 10 : 12;
  const std::string_view text = bytes.substr(prelude_bytes);
  NpyHeader header;
  read_type(value_of(text, "descr", source), header, source);
  header.is_fortran_order = value_of(text, "fortran_order", source).starts_with("True");
  read_shape(value_of(text, "shape", source), header, source);
  return header;
}

}  // namespace pulsecast
