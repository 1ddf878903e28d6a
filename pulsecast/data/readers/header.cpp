#include "pulsecast/data/readers/header.h"

#include <fmt/format.h>

#include <set>

#include "pulsecast/calendar/stamp.h"
#include "pulsecast/data/readers/number_cell.h"

namespace pulsecast {
namespace {

bool is_stamp(std::string_view cell) {
  const Stamp::Form form = read_stamp(cell).form;
  return form == Stamp::Form::kYearFirst || form == Stamp::Form::kOpenOrder;
}

bool is_text(std::string_view cell, char decimal) {
  return read_number(cell, decimal).kind == NumberCell::Kind::kUnreadable && !is_stamp(cell);
}

bool is_header(const std::vector<std::string>& record, char decimal) {
  bool has_text = false;
  for (const std::string& cell : record) {
    if (is_stamp(cell)) return false;
    has_text = has_text || is_text(cell, decimal);
  }
  return has_text;
}

// Length of the UTF-8 sequence that starts `bytes`, 0 when none does (RFC 3629: no surrogates, no
// overlong forms, nothing past U+10FFFF).
std::size_t utf8_length(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || bytes.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool is_overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool is_surrogate = lead == 0xED && byte(1) > 0x9F;
  const bool is_too_great = lead == 0xF4 && byte(1) > 0x8F;
  return is_overlong || is_surrogate || is_too_great ? 0 : length;
}

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t length = utf8_length(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

}  // namespace

std::string to_utf8(std::string_view bytes, bool& was_latin1) {
  if (is_utf8(bytes)) return std::string(bytes);
  was_latin1 = true;
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xC0 | (byte >> 6));
      text += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return text;
}

Header find_header(const Sample& sample, const Dialect& dialect) {
  Header header;
  if (sample.empty()) return header;
  header.is_present = is_header(sample.front(), dialect.decimal);
  bool was_latin1 = false;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < sample.front().size(); ++i) {
    std::string name =
        header.is_present ? to_utf8(sample.front()[i], was_latin1) : fmt::format("{}", i + 1);
    if (name.empty()) name = fmt::format("column {}", i + 1);
    if (taken.contains(name)) {
      int copy = 2;
      while (taken.contains(fmt::format("{} ({})", name, copy))) ++copy;
      const std::string renamed = fmt::format("{} ({})", name, copy);
      header.notes.push_back(fmt::format("two columns are named '{}': column {} is called '{}'",
                                         name, i + 1, renamed));
      name = renamed;
    }
    taken.insert(name);
    header.names.push_back(std::move(name));
  }
  if (was_latin1) {
    header.notes.emplace_back("the header is not UTF-8; its names were read as Latin-1");
  }
  if (!header.is_present) {
    header.notes.emplace_back("no header line; columns are named by their place");
  }
  return header;
}

}  // namespace pulsecast
