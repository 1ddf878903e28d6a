#include "apps/cli/terminal/plain_text.h"

#include <algorithm>

namespace pulsecast::cli {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// Bytes of the code point that `text` begins with; 0 where it is broken or a control character.
std::size_t printable_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x20 || first == 0x7f) return 0;
  if (first < 0x80) return 1;
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return 0;
  if (!std::ranges::all_of(text.substr(1, bytes - 1), is_continuation)) return 0;
  // U+0080 to U+009F are control characters too.
  if (first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0) return 0;
  return bytes;
}

std::string first_code_points(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count) {
    ++end;
    while (end < text.size() && is_continuation(text[end])) ++end;
  }
  return std::string(text.substr(0, end));
}

}  // namespace

std::string plain_text(std::string_view text, std::size_t width, bool ascii) {
  std::string plain;
  while (!text.empty()) {
    const std::size_t bytes = printable_bytes(text);
    if (bytes == 0 || (ascii && bytes > 1)) {
      plain += '?';
    } else {
      plain += text.substr(0, bytes);
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  if (text_width(plain) <= width) return plain;
  const std::size_t dots = width > 6 ? 3 : 0;
  return first_code_points(plain, width - dots) + std::string(dots, '.');
}

std::size_t text_width(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_continuation));
}

}  // namespace pulsecast::cli
