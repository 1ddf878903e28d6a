#include "pulsecast/artifact/file_kind.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>

namespace pulsecast::artifact {
namespace {

// The length of a JSON header, of which the upper bytes are always zero, and its brace.
bool begins_like_tensors(std::string_view bytes) {
  constexpr std::size_t kLengthBytes = 8;
  if (bytes.size() <= kLengthBytes || bytes[kLengthBytes] != '{') return false;
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  return length < std::uint64_t{1} << 32;
}

bool is_text(std::string_view bytes) {
  return !bytes.empty() && std::ranges::none_of(bytes, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7F || (byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f');
  });
}

}  // namespace

FileKind file_kind(const std::filesystem::path& path) {
  std::error_code unreadable;
  if (!std::filesystem::is_regular_file(path, unreadable)) return FileKind::kUnknown;
  std::array<char, 512> buffer{};
  std::ifstream stream(path, std::ios::binary);
  stream.read(buffer.data(), buffer.size());
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(stream.gcount()));
  if (begins_like_tensors(bytes)) return FileKind::kTensors;
  if (bytes.starts_with("\x1f\x8b")) return FileKind::kGzip;
  if (bytes.starts_with("PK\x03\x04")) return FileKind::kZip;
  return is_text(bytes) ? FileKind::kText : FileKind::kUnknown;
}

const char* description(FileKind kind) {
  switch (kind) {
    case FileKind::kTensors:
      return "a safetensors file";
    case FileKind::kText:
      return "text, such as CSV";
    case FileKind::kGzip:
      return "compressed with gzip, as rows may be";
    case FileKind::kZip:
      return "a zip archive, such as .npz";
    case FileKind::kUnknown:
      break;
  }
  return "of an unknown kind";
}

}  // namespace pulsecast::artifact
