// Which rows are scored.
#pragma once

#include <optional>
#include <string_view>

namespace pulsecast {

enum class Part {
  kHeldOut,     // the test rows recorded in the model, or the rows after all that it has seen
  kValidation,  // rows that chose the best epoch
  kTraining,    // rows that the weights have seen
  kAll,
};

// For messages.
inline constexpr const char* kPartNames = "held-out, validation, training or all";

// By one of these names; nothing of any other text.
std::optional<Part> part_named(std::string_view name);

}  // namespace pulsecast
