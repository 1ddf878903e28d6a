// A cell that should hold a number.
#pragma once

#include <string_view>

namespace pulsecast {

struct NumberCell {
  enum class Kind { kNumber, kEmpty, kUnreadable, kInfinite };
  Kind kind = Kind::kEmpty;
  double value = 0;         // finite for kNumber, else NaN
  bool is_dressed = false;  // as a person writes it: "1.374,78", "$5", "12 %", "true"
};

// Blanks around the number are ignored. Empty, NA, N/A, NaN, null, none and a lone dash mean that
// there is no value. Signs of a currency and of percent are left off (5 % is 5), true is 1 and
// false 0, (5) is -5. Thousands marks are read where they can be nothing else: "1,234" beside a
// decimal point may be either of two numbers, "10,018.94" and "1,234,567" are one each, and so is
// "1 234", blanks of typographers among them.
NumberCell read_number(std::string_view text, char decimal);

std::string_view trimmed(std::string_view text);

}  // namespace pulsecast
