#include "pulsecast/settings/reference.h"

#include <fmt/format.h>

#include <iterator>

namespace pulsecast {
namespace {

// A bar would end the table's cell.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string takes(const SettingInfo& info) {
  return info.choices.empty() ? info.expected : info.is_list ? "names from a list" : "a choice";
}

std::string meaning(const SettingInfo& info) {
  std::string text = cell(info.meaning);
  for (const SettingInfo::Option& option : info.choices) {
    text += fmt::format("<br>`{}`", option.name);
    if (!option.meaning.empty()) text += ": " + cell(option.meaning);
  }
  if (info.is_list) text += ". The flag may be given several times";
  return text;
}

}  // namespace

std::string settings_reference(std::span<const SettingInfo* const> settings) {
  std::string page =
      "# Settings\n\n"
      "Each setting is a flag (`--lookback 96`) and a key of its section in a config file\n"
      "(`--config FILE`, TOML). A flag wins over the file. This page is what `pulsecast settings`\n"
      "prints.\n";
  const SettingInfo* previous = nullptr;
  for (const SettingInfo* info : settings) {
    if (previous == nullptr || previous->section != info->section) {
      fmt::format_to(std::back_inserter(page), "\n## [{}]\n", info->section);
    }
    if (previous == nullptr || previous->group != info->group) {
      fmt::format_to(std::back_inserter(page),
                     "\n### {}\n\n| setting | takes | default | meaning |\n|---|---|---|---|\n",
                     info->group);
    }
    fmt::format_to(std::back_inserter(page), "| `{}` | {} | {} | {} |\n", info->name,
                   cell(takes(*info)), cell(info->default_text), meaning(*info));
    previous = info;
  }
  return page;
}

}  // namespace pulsecast
