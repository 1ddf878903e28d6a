#include "pulsecast/settings/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

// The whole of the text is the number, or it is none.
template <typename T>
std::optional<T> number_of(const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

template <typename T>
bool ranged_from_texts(std::span<const std::string> texts, const Range<T>& range, T& out) {
  if (texts.size() != 1) return false;
  const std::optional<T> value = number_of<T>(texts.front());
  if (!value || !(*value >= range.from && *value <= range.to)) return false;
  out = *value;
  return true;
}

template <typename T>
std::string ranged_text(const char* noun, const Range<T>& range) {
  const Range<T> all;
  if (range.from == all.from && range.to == all.to) return noun;
  if (range.to == all.to) return fmt::format("{} of {} or more", noun, range.from);
  if (range.from == all.from) return fmt::format("{} of {} or less", noun, range.to);
  return fmt::format("{} from {} to {}", noun, range.from, range.to);
}

}  // namespace

bool from_texts(std::span<const std::string> texts, const Range<bool>&, bool& out) {
  if (texts.size() != 1) return false;
  if (texts.front() != "true" && texts.front() != "false") return false;
  out = texts.front() == "true";
  return true;
}

bool from_texts(std::span<const std::string> texts, const Range<std::int64_t>& range,
                std::int64_t& out) {
  return ranged_from_texts(texts, range, out);
}

bool from_texts(std::span<const std::string> texts, const Range<double>& range, double& out) {
  double value = 0.0;
  if (!ranged_from_texts(texts, range, value) || !std::isfinite(value)) return false;
  out = value;
  return true;
}

bool from_texts(std::span<const std::string> texts, const Range<std::string>&, std::string& out) {
  if (texts.size() != 1) return false;
  out = texts.front();
  return true;
}

bool from_texts(std::span<const std::string> texts, const Range<std::vector<std::string>>& range,
                std::vector<std::string>& out) {
  const auto allowed = [&](const std::string& text) {
    return range.words.empty() || std::ranges::find(range.words, text) != range.words.end();
  };
  if (!std::ranges::all_of(texts, allowed)) return false;
  out.assign(texts.begin(), texts.end());
  return true;
}

std::string expected_text(const Range<bool>&) { return "true or false"; }

std::string expected_text(const Range<std::int64_t>& range) {
  return ranged_text("a whole number", range);
}

std::string expected_text(const Range<double>& range) { return ranged_text("a number", range); }

std::string expected_text(const Range<std::string>& range) { return range.what; }

std::string expected_text(const Range<std::vector<std::string>>& range) {
  return range.words.empty() ? range.what : range.what + " out of " + joined(range.words);
}

std::vector<std::string> to_texts(bool value) { return {value ? "true" : "false"}; }
std::vector<std::string> to_texts(std::int64_t value) { return {fmt::format("{}", value)}; }
std::vector<std::string> to_texts(double value) { return {fmt::format("{}", value)}; }
std::vector<std::string> to_texts(const std::string& value) { return {value}; }
std::vector<std::string> to_texts(const std::vector<std::string>& value) { return value; }

std::string joined(std::span<const std::string> texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

void refuse_value(const std::string& name, const std::string& expected,
                  std::span<const std::string> values, const std::string& where) {
  const std::string came = values.size() == 1
                               ? fmt::format("'{}'", values.front())
                               : fmt::format("{} values ({})", values.size(), joined(values));
  throw_error(ErrorKind::kUsage, where, "setting '{}' takes {}, not {}", name, expected, came);
}

}  // namespace pulsecast
