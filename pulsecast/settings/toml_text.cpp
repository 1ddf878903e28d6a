#include "pulsecast/settings/toml_text.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

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

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& source) {
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::kUsage, fmt::format("not valid TOML: {}", error.description()),
                place(source, error.source()));
  }
}

std::string read_text(const std::filesystem::path& file, const char* what) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) {
    throw_error(ErrorKind::kInputOutput, file.string(), "cannot read the {}: {}", what,
                std::strerror(errno));
  }
  return text;
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
