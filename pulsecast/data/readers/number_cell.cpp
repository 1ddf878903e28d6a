#include "pulsecast/data/readers/number_cell.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

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

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes one of these off either end, with blanks between.
bool take_off_sign(std::string_view& text) {
  constexpr std::array<std::string_view, 9> kSigns = {
      "$", "\xE2\x82\xAC", "\xC2\xA3", "\xC2\xA5", "%", "EUR", "USD", "GBP", "CHF"};
  for (const std::string_view sign : kSigns) {
    if (text.starts_with(sign) && sign != "%") {
      text = trimmed(text.substr(sign.size()));
      return true;
    }
    if (text.ends_with(sign)) {
      text = trimmed(text.substr(0, text.size() - sign.size()));
      return true;
    }
  }
  return false;
}

// The text with typographers' blanks, apostrophe and minus as those of a keyboard.
std::string as_typed(std::string_view text) {
  struct Pair {
    std::string_view written;
    char typed;
  };
  constexpr std::array<Pair, 5> kPairs = {{{"\xC2\xA0", ' '},        // no-break space
                                           {"\xE2\x80\xAF", ' '},    // the narrow one
                                           {"\xE2\x80\x89", ' '},    // thin space
                                           {"\xE2\x80\x99", '\''},   // apostrophe
                                           {"\xE2\x88\x92", '-'}}};  // minus
  std::string typed;
  while (!text.empty()) {
    const auto pair = std::ranges::find_if(
        kPairs, [&](const Pair& each) { return text.starts_with(each.written); });
    typed += pair == kPairs.end() ? text.front() : pair->typed;
    text.remove_prefix(pair == kPairs.end() ? 1 : pair->written.size());
  }
  return typed;
}

// The digits without their thousands marks; nothing where there are none, or they may be something
// else.
std::optional<std::string> without_thousands(std::string_view text, char decimal) {
  constexpr std::array<std::string_view, 4> kMarks = {",", ".", "'", " "};
  for (const std::string_view mark : kMarks) {
    if (mark.front() == decimal) continue;
    std::string plain;
    std::size_t at = 0;
    while (at < text.size() && is_digit(text[at])) plain += text[at++];
    if (plain.empty() || plain.size() > 3 || plain.front() == '0') return std::nullopt;
    int groups = 0;
    while (text.substr(at).starts_with(mark)) {
      const std::string_view group = text.substr(at + mark.size(), 3);
      if (group.size() != 3 || !std::ranges::all_of(group, is_digit)) break;
      plain += group;
      at += mark.size() + 3;
      ++groups;
    }
    const bool has_decimals = at < text.size() && text[at] == decimal;
    const bool is_certain = groups > 1 || has_decimals || mark != ",";
    if (groups == 0 || !is_certain || (at < text.size() && !has_decimals)) continue;
    return plain.append(text.substr(at));
  }
  return std::nullopt;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

namespace {

NumberCell read_plain(std::string_view text, char decimal) {
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

// Blanks, a sign of currency or percent and thousands marks may stand on either side of the minus;
// accountants put what is negative between parentheses instead.
NumberCell read_dressed(std::string_view written, char decimal) {
  const std::string typed = as_typed(written);
  std::string_view text = trimmed(typed);
  if (equals_ignoring_case(text, "true")) return {NumberCell::Kind::kNumber, 1, true};
  if (equals_ignoring_case(text, "false")) return {NumberCell::Kind::kNumber, 0, true};
  bool is_negative = text.size() > 2 && text.starts_with('(') && text.ends_with(')');
  bool is_dressed = is_negative || typed != written;
  if (is_negative) text = trimmed(text.substr(1, text.size() - 2));
  const auto take_minus = [&] {
    if (is_negative || !text.starts_with('-')) return;
    is_negative = true;
    text = trimmed(text.substr(1));
  };
  take_minus();
  is_dressed = take_off_sign(text) || is_dressed;
  take_minus();
  const std::optional<std::string> grouped = without_thousands(text, decimal);
  if (grouped) {
    text = *grouped;
    is_dressed = true;
  }
  if (!is_dressed || text.empty() || !is_digit(text.front())) {
    return {NumberCell::Kind::kUnreadable, kMissing};
  }
  NumberCell number = read_plain(text, decimal);
  if (is_negative) number.value = -number.value;
  number.is_dressed = true;
  return number;
}

}  // namespace

NumberCell read_number(std::string_view text, char decimal) {
  text = trimmed(text);
  if (is_missing_mark(text)) return {NumberCell::Kind::kEmpty, kMissing};
  const NumberCell plain = read_plain(text, decimal);
  return plain.kind == NumberCell::Kind::kUnreadable ? read_dressed(text, decimal) : plain;
}

}  // namespace pulsecast
