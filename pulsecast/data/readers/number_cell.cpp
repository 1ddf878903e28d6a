#include "pulsecast/data/readers/number_cell.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pulsecast/base/missing.h"

namespace pulsecast {
namespace {

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

bool is_missing_mark(std::string_view text) {
  constexpr std::array<std::string_view, 9> kMarks = {"na",   "n/a", "nan",  "null", "?",
                                                      "none", "-",   "#n/a", "-nan"};
  return text.empty() || std::any_of(kMarks.begin(), kMarks.end(), [&](std::string_view mark) {
           return equals_ignoring_case(text, mark);
         });
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

NumberCell read_number(std::string_view text, char decimal) {
  text = trimmed(text);
  if (is_missing_mark(text)) return {NumberCell::Kind::kEmpty, kMissing};
  std::string_view digits = text;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0;
  const auto [end, status] = fast_float::from_chars_advanced(
      digits.data(), digits.data() + digits.size(), value,
      fast_float::parse_options{fast_float::chars_format::general, decimal});
  const bool is_whole = end == digits.data() + digits.size();
  // "nan(...)" and the like have no value either, but nobody writes them for "missing".
  if (status == std::errc::invalid_argument || !is_whole || std::isnan(value)) {
    return {NumberCell::Kind::kUnreadable, kMissing};
  }
  if (!std::isfinite(value)) return {NumberCell::Kind::kInfinite, kMissing};
  return {NumberCell::Kind::kNumber, value};
}

}  // namespace pulsecast
