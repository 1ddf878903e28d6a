// pulsecast settings: the reference page of every setting, as text, Markdown or JSON.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>

#include "apps/cli/terminal/terminal.h"
#include "apps/cli/terminal/wrap.h"
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

// For a person at a terminal; what is piped or kept is the page in Markdown.
std::string to_text(std::span<const SettingInfo* const> infos, std::size_t width) {
  constexpr std::size_t kColumn = 6;
  constexpr std::size_t kWords = 20;
  std::string text = wrapped(
      "Each setting is a flag (--lookback 96) and a key of its section in a config file (--config "
      "FILE, TOML). A flag wins over the file.",
      width, 0);
  const SettingInfo* previous = nullptr;
  for (const SettingInfo* info : infos) {
    if (previous == nullptr || previous->group != info->group ||
        previous->section != info->section) {
      text += "\n" + wrapped(fmt::format("[{}] {}", info->section, info->group), width, 0);
    }
    text += "\n" + wrapped_entry(info->name, "", width, kColumn) +
            wrapped(info->meaning, width, kColumn);
    if (info->choices.empty()) text += wrapped("takes " + info->expected, width, kColumn);
    for (const SettingInfo::Option& choice : info->choices) {
      text += wrapped_entry("      " + choice.name, choice.meaning, width, kWords);
    }
    if (!info->default_text.empty()) {
      text += wrapped("without it: " + info->default_text, width, kColumn);
    }
    previous = info;
  }
  return text;
}

int print_settings(const Console& console) {
  const std::vector<const SettingInfo*> infos = every_setting();
  if (!console.json) {
    console.print(console.is_terminal() ? to_text(infos, terminal_width(stdout))
                                        : settings_reference(infos));
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
