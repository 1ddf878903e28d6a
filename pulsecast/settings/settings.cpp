#include "pulsecast/settings/settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "pulsecast/settings/catalogue.h"
#include "pulsecast/settings/value_text.h"

namespace pulsecast {
namespace {

// "a, b" as {"a", "b"}: blanks beside a comma are for the eye.
std::vector<std::string> cut_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string_view part = text.substr(begin, end - begin);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    parts.emplace_back(part);
    begin = end + 1;
  }
  return parts;
}

std::string full_name(const SettingInfo& info) {
  return fmt::format("{}.{}", info.section, info.name);
}

const BoundSetting& setting_named(const std::vector<BoundSetting>& all, std::string_view name) {
  const auto full = std::ranges::find_if(
      all, [&](const BoundSetting& setting) { return full_name(*setting.info) == name; });
  return full != all.end() ? *full : find_setting(all, name, "");
}

}  // namespace

void assign(Settings& settings, std::string_view name, std::string_view value) {
  const std::vector<BoundSetting> all = bind_all(settings);
  const BoundSetting& setting = setting_named(all, name);
  setting.assign(
      setting.info->is_list ? cut_at_commas(value) : std::vector<std::string>{std::string(value)},
      "");
}

void assign(Settings& settings, std::string_view name, std::span<const std::string> values) {
  const std::vector<BoundSetting> all = bind_all(settings);
  setting_named(all, name).assign(values, "");
}

std::vector<std::pair<std::string, std::string>> setting_texts(const Settings& settings) {
  std::vector<std::pair<std::string, std::string>> texts;
  Settings copy = settings;
  for (const BoundSetting& setting : bind_all(copy)) {
    const std::vector<std::string> values = setting.values();
    if (!values.empty()) texts.emplace_back(full_name(*setting.info), joined(values));
  }
  return texts;
}

}  // namespace pulsecast
