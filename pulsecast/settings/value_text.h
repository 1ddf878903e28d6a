// Values of settings from text and back, for the types a setting may have.
//
// A Range says what a value may be; expected_text() puts it into words for messages, from_texts()
// holds values to it. A value that is not taken leaves its target as it was.
#pragma once

#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "pulsecast/settings/choices.h"

namespace pulsecast {

template <typename T>
struct Range {};  // bool, enums: nothing to narrow

template <>
struct Range<std::int64_t> {
  std::int64_t from = std::numeric_limits<std::int64_t>::min();
  std::int64_t to = std::numeric_limits<std::int64_t>::max();
};

template <>
struct Range<double> {
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
};

template <>
struct Range<std::string> {
  std::string what = "text";            // "a step such as 15min, 1h, 7d or 1mo"
  std::vector<std::string> words = {};  // to offer; others may do too
};

template <>
struct Range<std::vector<std::string>> {
  std::string what = "names";
  std::vector<std::string> words = {};  // empty: any
};

template <typename T>
struct Range<std::optional<T>> : Range<T> {};

bool from_texts(std::span<const std::string> texts, const Range<bool>& range, bool& out);
bool from_texts(std::span<const std::string> texts, const Range<std::int64_t>& range,
                std::int64_t& out);
bool from_texts(std::span<const std::string> texts, const Range<double>& range, double& out);
bool from_texts(std::span<const std::string> texts, const Range<std::string>& range,
                std::string& out);
bool from_texts(std::span<const std::string> texts, const Range<std::vector<std::string>>& range,
                std::vector<std::string>& out);

std::string expected_text(const Range<bool>& range);
std::string expected_text(const Range<std::int64_t>& range);
std::string expected_text(const Range<double>& range);
std::string expected_text(const Range<std::string>& range);
std::string expected_text(const Range<std::vector<std::string>>& range);

std::vector<std::string> to_texts(bool value);
std::vector<std::string> to_texts(std::int64_t value);
std::vector<std::string> to_texts(double value);
std::vector<std::string> to_texts(const std::string& value);
std::vector<std::string> to_texts(const std::vector<std::string>& value);

// "a", "a, b": for showing values.
std::string joined(std::span<const std::string> texts);

// Throws Error(kUsage): "setting 'lookback' takes a whole number from 2 to 100000, not 'ten'".
[[noreturn]] void refuse_value(const std::string& name, const std::string& expected,
                               std::span<const std::string> values, const std::string& where);

template <HasChoices Enum>
bool from_texts(std::span<const std::string> texts, const Range<Enum>&, Enum& out) {
  if (texts.size() != 1) return false;
  const std::optional<Enum> value = choice_of<Enum>(texts.front());
  if (value) out = *value;
  return value.has_value();
}

template <HasChoices Enum>
std::string expected_text(const Range<Enum>&) {
  std::vector<std::string> names;
  names.reserve(std::size(kChoices<Enum>));
  for (const auto& choice : kChoices<Enum>) names.emplace_back(choice.name);
  return "one of " + joined(names);
}

template <HasChoices Enum>
std::vector<std::string> to_texts(Enum value) {
  return {std::string(choice_name(value))};
}

template <typename T>
bool from_texts(std::span<const std::string> texts, const Range<std::optional<T>>& range,
                std::optional<T>& out) {
  T value{};
  if (!from_texts(texts, static_cast<const Range<T>&>(range), value)) return false;
  out = std::move(value);
  return true;
}

template <typename T>
std::string expected_text(const Range<std::optional<T>>& range) {
  return expected_text(static_cast<const Range<T>&>(range));
}

template <typename T>
std::vector<std::string> to_texts(const std::optional<T>& value) {
  return value ? to_texts(*value) : std::vector<std::string>{};
}

}  // namespace pulsecast
