// A cell that holds a stamp, read from left to right.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace pulsecast {

// Each take_ function consumes what it wants and says whether it was there.
class StampCursor {
 public:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  // Of ASCII, or a byte of a letter beyond it.
  static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
  }

  explicit StampCursor(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }

  bool take(char wanted) {
    if (peek() != wanted || at_end()) return false;
    ++at_;
    return true;
  }

  // A whole number of `least` to `most` digits, and not one more.
  std::optional<int> take_number(int least, int most) {
    int value = 0;
    int digits = 0;
    while (is_digit(peek())) {
      if (++digits > most) return std::nullopt;
      value = value * 10 + (peek() - '0');
      ++at_;
    }
    if (digits < least) return std::nullopt;
    return value;
  }

  // The digit that is known to come next.
  int take_digit() { return text_[at_++] - '0'; }

  // Digits after a decimal point, as thousandths; finer ones are cut. None at all is an error.
  std::optional<int> take_thousandths(bool& is_cut) {
    int value = 0;
    int digits = 0;
    for (; is_digit(peek()); ++at_, ++digits) {
      if (digits < 3) {
        value = value * 10 + (peek() - '0');
      } else if (peek() != '0') {
        is_cut = true;
      }
    }
    if (digits == 0) return std::nullopt;
    for (; digits < 3; ++digits) value *= 10;
    return value;
  }

  int digits_ahead() const {
    std::size_t end = at_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    return static_cast<int>(end - at_);
  }

  // The letters that come next.
  std::string_view take_letters() {
    const std::size_t from = at_;
    while (is_letter(peek())) ++at_;
    return text_.substr(from, at_ - from);
  }

  void skip_blanks() {
    while (is_blank(peek())) ++at_;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace pulsecast
