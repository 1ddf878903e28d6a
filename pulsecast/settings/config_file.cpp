#include "pulsecast/settings/config_file.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "pulsecast/base/near_miss.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/settings/catalogue.h"
#include "pulsecast/settings/toml_text.h"

namespace pulsecast {
namespace {

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
  for (const auto& [section, node] : parse_toml(text, source)) {
    const std::string section_place = place_of(node, source);
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
      const std::string where = place_of(value, source);
      find_setting(own, key.str(), where).assign(value_texts(value, where), where);
    }
  }
}

void apply_config_file(const std::filesystem::path& file, std::span<const BoundSetting> settings) {
  apply_config(read_text(file, "config file"), file.string(), settings);
}

}  // namespace pulsecast
