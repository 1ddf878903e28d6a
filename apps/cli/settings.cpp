// pulsecast settings: the reference page of every setting, as Markdown or JSON.

#include <nlohmann/json.hpp>

#include "apps/cli/verbs.h"
#include "pulsecast/settings/catalogue.h"
#include "pulsecast/settings/reference.h"

namespace pulsecast::cli {
namespace {

nlohmann::json to_json(const SettingInfo& info) {
  nlohmann::json choices = nlohmann::json::array();
  for (const SettingInfo::Option& option : info.choices) {
    choices.push_back({{"name", option.name}, {"meaning", option.meaning}});
  }
  return {{"section", info.section},
          {"group", info.group},
          {"name", info.name},
          {"takes", info.expected},
          {"default", info.default_text},
          {"meaning", info.meaning},
          {"list", info.is_list},
          {"choices", choices}};
}

int print_settings(const Console& console) {
  const std::vector<const SettingInfo*> infos = every_setting();
  if (!console.json) {
    console.print(settings_reference(infos));
    return kDone;
  }
  nlohmann::json list = nlohmann::json::array();
  for (const SettingInfo* info : infos) list.push_back(to_json(*info));
  console.print_json({{"settings", list}});
  return kDone;
}

Action declare_settings(CLI::App&) { return print_settings; }

}  // namespace

const Verb kSettings = {"settings", "describe every setting, its range and its default",
                        "  pulsecast settings\n"
                        "  pulsecast settings --json\n",
                        declare_settings};

}  // namespace pulsecast::cli
