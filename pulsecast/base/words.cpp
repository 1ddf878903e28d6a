#include "pulsecast/base/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace pulsecast {
namespace {

using Value = Assignment::Value;

std::string to_text(const Assignment& assignment, const Words& words) {
  switch (assignment.kind) {
    case Value::kThis:
    case Value::kExample:
      return words.assignment(assignment.setting, assignment.value);
    case Value::kOpen:
      return words.open_setting(assignment.setting);
    case Value::kSmaller:
      return "a smaller " + words.setting(assignment.setting);
  }
  return "";
}

bool is_example(const Remedy& remedy) {
  return std::ranges::any_of(remedy.settings, [](const Assignment& assignment) {
    return assignment.kind == Value::kExample;
  });
}

bool is_instruction(const Remedy& remedy) { return remedy.settings.empty(); }

// Instructions are told apart from steps to do one after the other.
const char* between(const Remedy& one, const Remedy& next) {
  if (!is_instruction(next)) return "; ";
  return is_instruction(one) ? ", or " : "; or ";
}

// What a setting is called is written as it is; all else begins a sentence with a capital.
bool begins_with_setting(const Remedy& remedy) {
  return !is_instruction(remedy) && remedy.settings.front().kind != Value::kSmaller;
}

std::string either(const std::vector<std::string>& texts) {
  std::string joined;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) joined += i + 1 == texts.size() ? " or " : ", ";
    joined += texts[i];
  }
  return joined;
}

std::string with_effect(const std::string& means, const Remedy& remedy) {
  if (means.empty()) return remedy.effect;
  if (remedy.effect.empty()) return means;
  return fmt::format("{}{} {}", means, is_example(remedy) ? ", for example," : "", remedy.effect);
}

void add_sentence(std::string& text, const std::string& sentence) {
  if (sentence.empty()) return;
  const bool is_ended = text.ends_with('.') || text.ends_with('?');
  text += (is_ended ? " " : ". ") + sentence;
}

}  // namespace

std::string Words::setting(std::string_view name) const { return std::string(name); }

std::string Words::open_setting(std::string_view name) const { return setting(name); }

std::string Words::assignment(std::string_view name, std::string_view value) const {
  return fmt::format("{} = {}", name, value);
}

std::string_view Words::between() const { return " with "; }

std::string Words::action(RemedyAction action) const {
  switch (action) {
    case RemedyAction::kResume:
      return "resume the run";
    case RemedyAction::kAllowOtherCpu:
      return "allow another CPU";
    case RemedyAction::kStartOver:
      return "train without resuming";
    case RemedyAction::kScoreValidation:
      return "score the rows of validation";
    case RemedyAction::kScoreTraining:
      return "score the rows of training";
    case RemedyAction::kRunStudy:
      return "run the study";
    case RemedyAction::kCheckRows:
      return "check the rows";
  }
  return "";
}

std::string Words::where_settings_go() const { return ""; }

std::string to_text(const Place& place, const Words& words) {
  std::string text = place.source;
  if (place.line) text += fmt::format(":{}", *place.line);
  if (!place.column.empty()) {
    text += fmt::format("{}column '{}'", text.empty() ? "" : ", ", place.column);
  }
  if (!place.setting.empty()) {
    text += (text.empty() ? "" : ": ") + words.setting(place.setting);
  }
  return text;
}

std::string means_text(const Remedy& remedy, const Words& words) {
  if (remedy.action) return words.action(*remedy.action);
  std::string text;
  for (const Assignment& assignment : remedy.settings) {
    if (!text.empty()) text += words.between();
    text += to_text(assignment, words);
  }
  return text;
}

std::string means_text(std::span<const Remedy> remedies, const Words& words) {
  std::vector<std::string> texts;
  for (const Remedy& remedy : remedies) {
    std::string text = means_text(remedy, words);
    if (!text.empty()) texts.push_back(std::move(text));
  }
  return either(texts);
}

std::string to_text(const Remedy& remedy, const Words& words) {
  return with_effect(means_text(remedy, words), remedy);
}

std::string to_text(std::span<const Remedy> remedies, const Words& words) {
  std::string text;
  for (std::size_t i = 0; i < remedies.size();) {
    std::size_t next = i + 1;
    while (next < remedies.size() && remedies[next].effect == remedies[i].effect) ++next;
    if (i > 0) text += between(remedies[i - 1], remedies[i]);
    text += with_effect(means_text(remedies.subspan(i, next - i), words), remedies[i]);
    i = next;
  }
  if (!text.empty() && !begins_with_setting(remedies.front()) && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

std::string to_text(const Error& error, const Words& words) {
  std::string text = to_text(error.place(), words);
  if (!text.empty()) text += ": ";
  text += error.message();
  add_sentence(text, to_text(error.remedies(), words));
  const bool sets_something = std::ranges::any_of(
      error.remedies(), [](const Remedy& remedy) { return !remedy.settings.empty(); });
  if (sets_something) add_sentence(text, words.where_settings_go());
  return text;
}

}  // namespace pulsecast
