#include "apps/cli/settings_flags.h"

#include <fmt/format.h>

#include "pulsecast/settings/config_file.h"
#include "pulsecast/settings/data_declaration.h"

namespace pulsecast::cli {
namespace {

std::string help_of(const SettingInfo& info, Over over) {
  std::string text = info.meaning;
  if (!info.choices.empty()) {
    std::string names;
    for (const SettingInfo::Option& choice : info.choices) {
      names += (names.empty() ? "" : ", ") + choice.name;
    }
    text += fmt::format(": {}", names);
  }
  if (over == Over::kModel) return text + " [as in training]";
  if (!info.default_text.empty()) text += fmt::format(" [{}]", info.default_text);
  return text;
}

}  // namespace

std::set<std::string_view> series_settings(std::initializer_list<std::string_view> more) {
  std::set<std::string_view> names = more;
  for (const SettingInfo* info : data_settings().infos()) {
    if (info->group != kWindowsGroup) names.insert(info->name);
  }
  return names;
}

std::set<std::string_view> dialect_settings() {
  return {"layout", "separator", "decimal", "time-column", "day-order", "id-column", "value-column",
          "start",  "array",     "fill",    "duplicates",  "order",     "bad-rows",  "outliers"};
}

SettingsFlags::SettingsFlags(CLI::App& command, std::vector<BoundSetting> settings,
                             const std::set<std::string_view>& only, Over over)
    : settings_(std::move(settings)) {
  if (over == Over::kDefaults) {
    command.add_option("--config", config_, "TOML file of settings; flags win over it")
        ->type_name("FILE");
  }
  for (const BoundSetting& setting : settings_) {
    const SettingInfo& info = *setting.info;
    if (!only.empty() && !only.contains(info.name)) continue;
    Flag& flag = flags_.emplace_back(Flag{&setting, nullptr, {}, false});
    if (info.is_switch) {
      flag.option = command.add_flag(fmt::format("--{0},!--no-{0}", info.name), flag.is_on,
                                     help_of(info, over));
    } else {
      flag.option = command.add_option("--" + info.name, flag.values, help_of(info, over));
      flag.option->type_name(info.is_list ? "NAME" : "VALUE");
      // One value a flag, so that a file name after it stays a file name; lists repeat the flag or
      // put commas between names.
      flag.option->expected(1);
      flag.option->take_last();
      if (info.is_list) {
        flag.option->take_all();
        flag.option->allow_extra_args(false);
        flag.option->delimiter(',');
      }
    }
    flag.option->group(info.group);
  }
}

void SettingsFlags::apply() const {
  if (!config_.empty()) apply_config_file(config_, settings_);
  for (const Flag& flag : flags_) {
    if (flag.option->count() == 0) continue;
    const std::vector<std::string> values =
        flag.setting->info->is_switch ? std::vector<std::string>{flag.is_on ? "true" : "false"}
                                      : flag.values;
    flag.setting->assign(values, "--" + flag.setting->info->name);
  }
}

}  // namespace pulsecast::cli
