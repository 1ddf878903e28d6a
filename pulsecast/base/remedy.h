// What can be done about an error or a fault, as data.
//
// A remedy sets settings, or does something that is no setting, or is advice in plain words. It
// names a setting by its name alone: each door of the library (the command line, a study file,
// Python ...) writes it as its users do (words.h).
//
//   remedy::set("duplicates", "first", "keeps the first of such rows")
//   remedy::smaller("lookback", "needs fewer rows")
//   remedy::act(RemedyAction::kResume, "to go on")
//   remedy::advice("give more rows")
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pulsecast {

struct Assignment {
  enum class Value {
    kThis,     // `value`
    kExample,  // such as `value`
    kOpen,     // one of the user's choosing; `value` is empty
    kSmaller,  // than it is; `value` is empty
  };

  std::string setting;  // its name: "time-column"
  std::string value;
  Value kind = Value::kThis;

  bool operator==(const Assignment&) const = default;
};

// What is asked of a door rather than set.
enum class RemedyAction {
  kResume,           // go on with the run that was stopped
  kAllowOtherCpu,    // go on with it on a CPU that computes other last bits
  kStartOver,        // train without going on
  kScoreValidation,  // evaluate on the rows of validation
  kScoreTraining,    // evaluate on the rows of training
  kRunStudy,         // do the runs of a study, not its report alone
  kCheckRows,        // have the doctor examine the rows
};

// "resume", "start-over" ...: for machines.
const char* name(RemedyAction action);

struct Remedy {
  std::vector<Assignment> settings;    // all of them together
  std::optional<RemedyAction> action;  // then there are no settings
  // After settings it is what they do ("keeps the first of such rows"), after an action the
  // purpose ("to go on"), alone the advice itself ("give more rows").
  std::string effect;

  bool operator==(const Remedy&) const = default;
};

namespace remedy {

Remedy set(std::string setting, std::string value, std::string effect);
Remedy example(std::string setting, std::string value, std::string effect);
Remedy open(std::string setting, std::string effect);
Remedy smaller(std::string setting, std::string effect);
Remedy together(std::vector<Assignment> settings, std::string effect);
Remedy act(RemedyAction action, std::string effect);
Remedy advice(std::string text);

}  // namespace remedy
}  // namespace pulsecast
