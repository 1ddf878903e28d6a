#include "pulsecast/data/readers/short_decimal.h"

namespace pulsecast::short_decimal {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr ShortDecimal kLeft{0, nullptr};
constexpr std::array<std::uint64_t, kMostDigits + 1> kIntegerPowers = [] {
  std::array<std::uint64_t, kMostDigits + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = 10 * powers[i - 1];
  return powers;
}();

// The same as doubles, all of them exact.
constexpr std::array<double, kMostDigits + 1> kDoublePowers = [] {
  std::array<double, kMostDigits + 1> powers{};
  for (std::size_t i = 0; i < powers.size(); ++i)
    powers[i] = static_cast<double>(kIntegerPowers[i]);
  return powers;
}();

// 10^-i is at least bits * 2^exponent and less than (bits + 1) * 2^exponent, bits having 64 bits.
struct Inverse {
  std::uint64_t bits;
  int exponent;
};

constexpr std::array<Inverse, kMostDigits + 1> kInverses = [] {
  std::array<Inverse, kMostDigits + 1> inverses{};
  for (std::size_t i = 0; i < inverses.size(); ++i) {
    // Long division of 2^(63 + length) by the power, from its first bit on.
    const auto length = static_cast<int>(std::bit_width(kIntegerPowers[i] - 1));
    Wide rest = static_cast<Wide>(1) << length;
    for (int bit = 0; bit < 64; ++bit) {
      const bool fits = rest >= kIntegerPowers[i];
      inverses[i].bits = 2 * inverses[i].bits + (fits ? 1 : 0);
      rest = 2 * (fits ? rest - kIntegerPowers[i] : rest);
    }
    inverses[i].exponent = -(63 + length);
  }
  return inverses;
}();

// The double nearest to digits / 10^places, unless the product with the inverse leaves open which.
ShortDecimal scaled(std::uint64_t digits, unsigned places, bool is_negative, const char* end) {
  double value = 0;
  if (digits <= std::uint64_t{1} << 53) {
    // Both are exact, so the quotient is rounded once.
    value = static_cast<double>(digits) / kDoublePowers[places];
  } else {
    const int shift = std::countl_zero(digits);
    const auto product = static_cast<Wide>(digits << shift) * kInverses[places].bits;
    // The cut inverse makes the product too small by less than one unit of `high`, and leaving its
    // lower half off by less than one more: the number lies in [high, high + 2).
    const auto high = static_cast<std::uint64_t>(product >> 64);
    const int spare = 10 + static_cast<int>(high >> 63);  // bits more than a double's 53
    const std::uint64_t half = std::uint64_t{1} << (spare - 1);
    const std::uint64_t rest = high & (2 * half - 1);
    if (rest == half || rest == half - 1) return kLeft;
    const std::uint64_t mantissa = (high >> spare) + (rest > half ? 1 : 0);
    const int exponent = spare + 64 - shift + kInverses[places].exponent;
    value = static_cast<double>(mantissa) *
            std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
  }
  return {is_negative ? -value : value, end};
}

// Up to 16 digits in a row, both words looked at together: one after the other costs as much again.
struct DigitRun {
  explicit DigitRun(const char* at) : first(at), second(at + 8) {
    length = first.others != 0 ? first_byte(first.others) : 8 + first_byte(second.others);
  }
  // The digits after those of `number`.
  std::uint64_t appended_to(std::uint64_t number) const {
    if (length == 0) return number;
    if (length <= 8) return number * kIntegerPowers[length] + number_of(first.digits, length);
    return number * kIntegerPowers[length] +
           number_of(first.digits, 8) * kIntegerPowers[length - 8] +
           number_of(second.digits, length - 8);
  }

  Word first;
  Word second;
  unsigned length;
};

}  // namespace

ShortDecimal read_long(const char* begin, unsigned whole, bool is_negative, char decimal) {
  std::uint64_t digits = 0;
  if (whole < 8) {
    digits = number_of(Word(begin).digits, whole);
  } else {
    const DigitRun run(begin);
    whole = run.length;
    digits = run.appended_to(0);
  }
  const char* end = begin + whole;
  unsigned places = 0;
  if (*end == decimal) {
    const DigitRun run(end + 1);
    places = run.length;
    if (places == 0 || whole + places > kMostDigits) return kLeft;
    digits = run.appended_to(digits);
    end += 1 + places;
  }
  const bool is_cut = *end >= '0' && *end <= '9';
  return is_cut ? kLeft : scaled(digits, places, is_negative, end);
}

}  // namespace pulsecast::short_decimal
