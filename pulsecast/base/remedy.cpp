#include "pulsecast/base/remedy.h"

#include <utility>

namespace pulsecast {

const char* name(RemedyAction action) {
  switch (action) {
    case RemedyAction::kResume:
      return "resume";
    case RemedyAction::kAllowOtherCpu:
      return "allow-other-cpu";
    case RemedyAction::kStartOver:
      return "start-over";
    case RemedyAction::kScoreValidation:
      return "score-validation";
    case RemedyAction::kScoreTraining:
      return "score-training";
    case RemedyAction::kRunStudy:
      return "run-study";
    case RemedyAction::kCheckRows:
      return "check-rows";
  }
  return "unknown";
}

namespace remedy {
namespace {

using Value = Assignment::Value;

Remedy one(std::string setting, std::string value, Value kind, std::string effect) {
  return together({{std::move(setting), std::move(value), kind}}, std::move(effect));
}

}  // namespace

Remedy set(std::string setting, std::string value, std::string effect) {
  return one(std::move(setting), std::move(value), Value::kThis, std::move(effect));
}

Remedy example(std::string setting, std::string value, std::string effect) {
  return one(std::move(setting), std::move(value), Value::kExample, std::move(effect));
}

Remedy open(std::string setting, std::string effect) {
  return one(std::move(setting), "", Value::kOpen, std::move(effect));
}

Remedy smaller(std::string setting, std::string effect) {
  return one(std::move(setting), "", Value::kSmaller, std::move(effect));
}

Remedy together(std::vector<Assignment> settings, std::string effect) {
  return {std::move(settings), std::nullopt, std::move(effect)};
}

Remedy act(RemedyAction action, std::string effect) { return {{}, action, std::move(effect)}; }

Remedy advice(std::string text) { return {{}, std::nullopt, std::move(text)}; }

}  // namespace remedy
}  // namespace pulsecast
