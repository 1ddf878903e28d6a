// Named values of an enum: the one list from which parsing, printing and the reference page come.
//
//   enum class Fill { kNone, kLinear };
//   template <>
//   inline constexpr std::array kChoices<Fill>{
//       Choice{Fill::kNone, "none", "gaps stay gaps"},
//       Choice{Fill::kLinear, "linear", "a straight line between the neighbours"}};
#pragma once

#include <array>
#include <cassert>
#include <optional>
#include <string_view>

namespace pulsecast {

template <typename Enum>
struct Choice {
  Enum value;
  std::string_view name;
  std::string_view meaning;
};
// Written out, since clang 14 does not deduce it for an aggregate.
template <typename Enum>
Choice(Enum, std::string_view, std::string_view) -> Choice<Enum>;

// Specialised beside each enum that is a setting.
template <typename Enum>
inline constexpr int kChoices = 0;

template <typename T>
concept HasChoices = requires {
  kChoices<T>.begin();
};

template <HasChoices Enum>
constexpr std::string_view choice_name(Enum value) {
  for (const auto& choice : kChoices<Enum>) {
    if (choice.value == value) return choice.name;
  }
  assert(false && "an enum value that its kChoices does not list");
  return "";
}

template <HasChoices Enum>
constexpr std::optional<Enum> choice_of(std::string_view name) {
  for (const auto& choice : kChoices<Enum>) {
    if (choice.name == name) return choice.value;
  }
  return std::nullopt;
}

}  // namespace pulsecast
