#include "pulsecast/settings/config_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "pulsecast/base/error.h"
#include "pulsecast/base/near_miss.h"
#include "pulsecast/settings/catalogue.h"

namespace pulsecast {
namespace {

std::string place(const std::string& source, const toml::source_region& region) {
  return fmt::format("{}:{}:{}", source, region.begin.line, region.begin.column);
}

// TOML tells numbers, switches and text apart; settings read text, so a scalar becomes what a
// person would have typed on the command line.
std::string scalar_text(const toml::node& node, const std::string& where) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return to_texts(std::int64_t{whole->get()}).front();
  if (const auto* number = node.as_floating_point()) return to_texts(number->get()).front();
  if (const auto* flag = node.as_boolean()) return to_texts(flag->get()).front();
  throw_error(ErrorKind::kUsage, where,
              "expected text, a number, true or false, or a list of these; dates are written as "
              "text, in quotes");
}

std::vector<std::string> value_texts(const toml::node& node, const std::string& where) {
  const toml::array* list = node.as_array();
  if (list == nullptr) return {scalar_text(node, where)};
  std::vector<std::string> texts;
  for (const toml::node& element : *list) texts.push_back(scalar_text(element, where));
  return texts;
}

std::vector<BoundSetting> settings_of(std::span<const BoundSetting> settings,
                                      std::string_view section) {
  std::vector<BoundSetting> chosen;
  std::ranges::copy_if(settings, std::back_inserter(chosen), [&](const BoundSetting& setting) {
    return setting.info->section == section;
  });
  return chosen;
}

bool is_section(std::string_view name) {
  const std::vector<const SettingInfo*> all = every_setting();
  return std::ranges::find(all, name, &SettingInfo::section) != all.end();
}

[[noreturn]] void refuse_section(std::string_view name, std::span<const BoundSetting> settings,
                                 const std::string& where) {
  std::vector<std::string> sections;
  for (const BoundSetting& setting : settings) {
    if (std::ranges::find(sections, setting.info->section) == sections.end()) {
      sections.push_back(setting.info->section);
    }
  }
  throw_error(ErrorKind::kUsage, where, "there is no section [{}].{} Sections: {}", name,
              did_you_mean(name, sections), joined(sections));
}

}  // namespace

void apply_config(std::string_view text, const std::string& source,
                  std::span<const BoundSetting> settings) {
  toml::table document;
  try {
    document = toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::kUsage, fmt::format("not valid TOML: {}", error.description()),
                place(source, error.source()));
  }
  for (const auto& [section, node] : document) {
    const std::string section_place = place(source, node.source());
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      throw_error(ErrorKind::kUsage, section_place,
                  "setting '{}' stands outside a section; put it under the heading of its section, "
                  "e.g. [data]",
                  section.str());
    }
    const std::vector<BoundSetting> own = settings_of(settings, section.str());
    if (own.empty()) {
      if (is_section(section.str())) continue;  // of another verb, which will read it
      refuse_section(section.str(), settings, section_place);
    }
    for (const auto& [key, value] : *table) {
      const std::string where = place(source, value.source());
      find_setting(own, key.str(), where).assign(value_texts(value, where), where);
    }
  }
}

void apply_config_file(const std::filesystem::path& file, std::span<const BoundSetting> settings) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) {
    throw_error(ErrorKind::kInputOutput, file.string(), "cannot read the config file: {}",
                std::strerror(errno));
  }
  apply_config(text, file.string(), settings);
}

}  // namespace pulsecast
