// A cell that should hold a number.
#pragma once

#include <string_view>

namespace pulsecast {

struct NumberCell {
  enum class Kind { kNumber, kEmpty, kUnreadable, kInfinite };
  Kind kind = Kind::kEmpty;
  double value = 0;  // finite for kNumber, else NaN
};

// Blanks around the number are ignored. Empty, NA, N/A, NaN, null, none and a lone dash mean that
// there is no value. Thousands separators are not read: "1,234" may be either of two numbers.
NumberCell read_number(std::string_view text, char decimal);

std::string_view trimmed(std::string_view text);

}  // namespace pulsecast
