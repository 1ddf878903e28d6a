#include "pulsecast/settings/toml_text.h"

#include <algorithm>

#include "pulsecast/base/input_file.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/settings/value_text.h"

namespace pulsecast {
namespace {

std::string place(const std::string& source, const toml::source_region& region) {
  return fmt::format("{}:{}:{}", source, region.begin.line, region.begin.column);
}

// TOML tells numbers, switches and text apart; settings read text.
std::string scalar_text(const toml::node& node, const std::string& where) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return to_texts(std::int64_t{whole->get()}).front();
  if (const auto* number = node.as_floating_point()) return to_texts(number->get()).front();
  if (const auto* flag = node.as_boolean()) return to_texts(flag->get()).front();
  throw_error(ErrorKind::kUsage, where,
              "expected text, a number, true or false, or a list of these; dates are written as "
              "text, in quotes");
}

// The first character after the string that begins at `at`, which may be of many lines; a string
// without an end is for the parser to refuse.
std::size_t after_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool is_long = text.substr(at, 3) == three;
  const std::string_view end = is_long ? std::string_view(three) : text.substr(at, 1);
  for (std::size_t i = at + end.size(); i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text.substr(i, end.size()) == end || (!is_long && text[i] == '\n')) {
      return i + end.size();
    }
  }
  return text.size();
}

// Refuses names of many parts (a.b.c. ...) and lists in lists before they are parsed: each part is
// a table in a table, and freeing some ten thousand of those overflows the stack.
void refuse_depth(std::string_view text, const std::string& source) {
  constexpr std::size_t kDeepest = 16;
  std::size_t line = 1;
  std::size_t parts = 0;
  std::size_t brackets = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = after_string(text, i);
      line += static_cast<std::size_t>(std::ranges::count(text.substr(i, end - i), '\n'));
      i = end;
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '.') ++parts;
    if (c == '\n' || c == '=' || c == ',') parts = 0;
    if (c == '[' || c == '{') ++brackets;
    if ((c == ']' || c == '}') && brackets > 0) --brackets;
    if (parts > kDeepest || brackets > kDeepest) {
      throw_error(ErrorKind::kUsage, Place(source).at_line(line),
                  "tables and lists lie more than {} deep, which no setting does", kDeepest);
    }
    if (c == '\n') ++line;
    ++i;
  }
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& source) {
  refuse_depth(text, source);
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::kUsage, fmt::format("not valid TOML: {}", error.description()),
                place(source, error.source()));
  }
}

std::string read_text(const std::filesystem::path& file, const char* what) {
  constexpr std::size_t kLargest = std::size_t{4} << 20;  // of files that people write
  return read_whole(file, kLargest, what);
}

std::string place_of(const toml::node& node, const std::string& source) {
  return place(source, node.source());
}

std::vector<std::string> value_texts(const toml::node& node, const std::string& where) {
  const toml::array* list = node.as_array();
  if (list == nullptr) return {scalar_text(node, where)};
  std::vector<std::string> texts;
  for (const toml::node& element : *list) texts.push_back(scalar_text(element, where));
  return texts;
}

}  // namespace pulsecast
