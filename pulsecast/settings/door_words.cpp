#include "pulsecast/settings/door_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "pulsecast/settings/catalogue.h"
#include "pulsecast/settings/shell_word.h"

namespace pulsecast {
namespace {

// None for what is declared nowhere, such as a flag of one verb.
const SettingInfo* info_of(std::string_view name) {
  const std::vector<const SettingInfo*> all = every_setting();
  const auto found = std::ranges::find(all, name, &SettingInfo::name);
  return found == all.end() ? nullptr : *found;
}

bool is_switch(std::string_view name) {
  const SettingInfo* info = info_of(name);
  return info != nullptr && info->is_switch;
}

bool is_list(std::string_view name) {
  const SettingInfo* info = info_of(name);
  return info != nullptr && info->is_list;
}

// A number as every one of these languages writes it: 5, 0.25.
bool is_plain_number(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view part = text.substr(std::min(point + 1, text.size()));
  const auto is_digits = [&](std::string_view digits) {
    return !digits.empty() && digits.find_first_not_of(kDigits) == std::string_view::npos;
  };
  return is_digits(whole) && (point == text.size() || is_digits(part));
}

// TOML, Python and JSON agree on these escapes.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string literal(std::string_view name, std::string_view value, std::string_view yes,
                    std::string_view no) {
  if (is_list(name)) return fmt::format("[{}]", quoted(value));
  if (is_switch(name)) return std::string(value == "true" ? yes : no);
  return is_plain_number(value) ? std::string(value) : quoted(value);
}

}  // namespace

std::string CommandLineWords::setting(std::string_view name) const {
  return fmt::format("--{}", name);
}

std::string CommandLineWords::open_setting(std::string_view name) const {
  return setting(name) + (is_list(name) ? " NAME" : "");
}

std::string CommandLineWords::assignment(std::string_view name, std::string_view value) const {
  if (is_switch(name)) return value == "true" ? setting(name) : fmt::format("--no-{}", name);
  return fmt::format("{} {}", setting(name), shell_word(value));
}

std::string_view CommandLineWords::between() const { return " "; }

std::string CommandLineWords::action(RemedyAction action) const {
  switch (action) {
    case RemedyAction::kResume:
      return "run the same command with --resume";
    case RemedyAction::kAllowOtherCpu:
      return "add --allow-other-cpu";
    case RemedyAction::kStartOver:
      return "train without --resume";
    case RemedyAction::kScoreValidation:
      return "ask for --part validation";
    case RemedyAction::kScoreTraining:
      return "ask for --part training";
    case RemedyAction::kRunStudy:
      return "leave out --report";
    case RemedyAction::kCheckRows:
      return "run 'pulsecast check'";
  }
  return "";
}

std::string StudyWords::assignment(std::string_view name, std::string_view value) const {
  return fmt::format("{} = {}", name, literal(name, value, "true", "false"));
}

std::string StudyWords::action(RemedyAction action) const {
  switch (action) {
    case RemedyAction::kResume:
      return "run the study again";
    case RemedyAction::kStartOver:
      return "give the study another 'out'";
    case RemedyAction::kAllowOtherCpu:
    case RemedyAction::kScoreValidation:
    case RemedyAction::kScoreTraining:
    case RemedyAction::kRunStudy:
    case RemedyAction::kCheckRows:
      break;
  }
  return Words::action(action);
}

std::string StudyWords::where_settings_go() const {
  return "A study has settings of all its runs in [settings], and of one dataset in its "
         "'settings'";
}

std::string PythonWords::setting(std::string_view name) const {
  std::string text(name);
  std::ranges::replace(text, '-', '_');
  return text;
}

std::string PythonWords::assignment(std::string_view name, std::string_view value) const {
  return fmt::format("{}={}", setting(name), literal(name, value, "True", "False"));
}

std::string_view PythonWords::between() const { return ", "; }

std::string JsonWords::setting(std::string_view name) const {
  const SettingInfo* info = info_of(name);
  return info == nullptr ? std::string(name) : fmt::format("/{}/{}", info->section, name);
}

std::string JsonWords::assignment(std::string_view name, std::string_view value) const {
  return fmt::format("{}: {}", setting(name), literal(name, value, "true", "false"));
}

}  // namespace pulsecast
