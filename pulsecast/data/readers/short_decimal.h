// Numbers as files mostly write them: a sign, digits, perhaps a point and more digits.
//
// A general parser looks at one character after another and is ready for anything. Cells such as
// "-123.45" need less: eight characters are taken at once as one integer, the point is shifted out
// of it, and the digits are added up in three multiplications. What is not of this form, or whose
// rounding one multiplication does not settle, is left to the general parser; so a value is always
// the double nearest to the number, to the last bit the one that fast_float gives.
//
// A reader of cells waits for nothing but the start of the next one, so that is what the code is
// short on: there is no branch on how long the parts of a number are.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pulsecast {

struct ShortDecimal {
  double value;
  const char* end;  // of the number; nullptr when it is left to the general parser
};

namespace short_decimal {

static_assert(std::endian::native == std::endian::little, "the first character is the lowest byte");

inline constexpr unsigned kMostDigits = 19;  // the most that always fit in 64 bits
// How far is looked: a sign, 16 digits and the mark, and 16 characters more.
inline constexpr std::ptrdiff_t kWindow = 1 + 16 + 1 + 16;

// Eight characters, the first of them in the lowest byte.
struct Word {
  explicit Word(const char* at) {
    std::memcpy(&digits, at, sizeof digits);
    digits ^= 0x3030303030303030;
    // Adding 0x76 carries into the top bit from 10 on. Out of a byte it carries, and spoils the
    // next one, only if that byte's character is no mark; so all is right up to the number's end.
    others = ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
  }

  std::uint64_t digits;  // a byte each, 0 .. 9 where the character is a digit
  std::uint64_t others;  // the top bit of each byte where it is none
};

// The byte of the lowest bit, 0 .. 8.
inline unsigned first_byte(std::uint64_t bits) {
  return static_cast<unsigned>(std::countr_zero(bits)) / 8;
}

// The number that the lowest `count` bytes spell, 1 .. 8 of them.
inline std::uint64_t number_of(std::uint64_t digits, unsigned count) {
  digits <<= 8 * (8 - count);            // the bytes shifted in are leading zeros
  digits = 10 * digits + (digits >> 8);  // pairs, in every second byte
  constexpr std::uint64_t kPairs = 0x000000FF000000FF;
  return ((digits & kPairs) * (100 + (std::uint64_t{1'000'000} << 32)) +
          ((digits >> 16) & kPairs) * (1 + (std::uint64_t{10'000} << 32))) >>
         32;
}

// What a word can hold behind the mark, all of it exact.
inline constexpr std::array<double, 8> kPowers = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};

// A number without its sign that does not end within a word; `whole` digits stand before the mark,
// or 8 when that lies past the word too.
ShortDecimal read_long(const char* begin, unsigned whole, bool is_negative, char decimal);

}  // namespace short_decimal

// Reads -?[0-9]+(D[0-9]+)? with the decimal mark D, a point or a comma, at the start of the text.
// What stands at the end is for the caller to judge: in "1.5e3" it is the 'e'.
inline ShortDecimal read_short_decimal(const char* begin, const char* end, char decimal) {
  using namespace short_decimal;
  if (end - begin < kWindow) return {0, nullptr};
  Word word(begin);
  const unsigned sign = *begin == '-' ? 1 : 0;
  begin += sign;
  word.digits >>= 8 * sign;
  word.others >>= 8 * sign;
  if (word.others == 0) return read_long(begin, 8, sign != 0, decimal);
  const unsigned whole = first_byte(word.others);
  if (whole == 0) return {0, nullptr};
  unsigned last = whole;
  unsigned places = 0;
  if (begin[whole] == decimal) {
    const std::uint64_t others = word.others & (word.others - 1);  // past the mark
    if (others == 0) return read_long(begin, whole, sign != 0, decimal);
    last = first_byte(others);
    places = last - whole - 1;
    if (places == 0) return {0, nullptr};
    const std::uint64_t below = (std::uint64_t{1} << 8 * whole) - 1;
    word.digits = (word.digits & below) | ((word.digits >> 8) & ~below);
  }
  // Both are exact, so the quotient is rounded once.
  const double value =
      static_cast<double>(number_of(word.digits, whole + places)) / kPowers[places];
  return {sign != 0 ? -value : value, begin + last};
}

}  // namespace pulsecast
