#include "pulsecast/data/readers/short_decimal.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace pulsecast {
namespace {

// What reading `text` gives when more of a file follows it, and how many characters it took.
struct Result {
  double value;
  std::size_t length;
};

std::optional<Result> read(std::string_view text, char decimal = '.') {
  const std::string line = std::string(text) + "," + std::string(60, '7');
  const auto [value, end] = read_short_decimal(line.data(), line.data() + line.size(), decimal);
  if (end == nullptr) return std::nullopt;
  return Result{value, static_cast<std::size_t>(end - line.data())};
}

double nearest(std::string_view text) {
  double value = 0;
  fast_float::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// The double nearest to the number, or nothing; says which.
bool is_read_right(const std::string& text) {
  const auto result = read(text);
  if (!result) return false;
  EXPECT_EQ(result->length, text.size()) << text;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(result->value),
            std::bit_cast<std::uint64_t>(nearest(text)))
      << text << " as " << fmt::format("{} for {}", result->value, nearest(text));
  return true;
}

std::string random_digits(std::mt19937_64& random, std::size_t count) {
  std::string digits(count, '0');
  for (char& digit : digits) digit = static_cast<char>('0' + random() % 10);
  return digits;
}

TEST(ShortDecimal, ReadsPlainNumbersUpToWhatEndsThem) {
  for (const char* text :
       {"0", "7", "-7", "12.5", "-0.25", "12345678", "-1234567", "1234567.8", "123456789",
        "0.00000001", "-0.0000001", "123456789012345", "-123456789.0123456789", "0.1", "007",
        "1.123456789012345", "123456789012345.1234"}) {
    EXPECT_TRUE(is_read_right(text)) << text;
  }
  EXPECT_TRUE(std::signbit(read("-0.0")->value));
  EXPECT_EQ(read("1.5e3")->length, 3u);
  EXPECT_EQ(read("1.5.5")->length, 3u);
  EXPECT_EQ(read("15\xFF\xFF")->length, 2u);
  EXPECT_EQ(read("1.5\xFF\xFF")->length, 3u);
  EXPECT_EQ(read("12,75", ',')->value, 12.75);
  EXPECT_EQ(read("12.75", ',')->length, 2u);
}

TEST(ShortDecimal, LeavesTheRestToTheGeneralParser) {
  for (const char* text : {"", "-", "--1", "+1", ".5", "5.", "-.5", "x", " 1", "nan", "inf", "\xB0",
                           "12345678.", "1234567.", "12345678901234567", "0.12345678901234567",
                           "12345678901.234567890", "00000000000000000001", "9007199254740993"}) {
    EXPECT_FALSE(read(text)) << text;
  }
}

TEST(ShortDecimal, LooksAtNothingPastTheEnd) {
  // In memory of just this size, so that the address sanitizer sees a step past it.
  for (std::size_t size = 0; size < 64; ++size) {
    for (const char* start : {"", "-", "1.", "-12345678."}) {
      std::string text(start);
      text.resize(std::max(size, text.size()), '4');
      const std::vector<char> exact(text.begin(), text.end());
      const auto [value, end] = read_short_decimal(exact.data(), exact.data() + exact.size(), '.');
      EXPECT_TRUE(end == nullptr || end <= exact.data() + exact.size());
    }
  }
}

TEST(ShortDecimal, EveryPlainNumberIsTheNearestDouble) {
  std::mt19937_64 random(7);
  std::size_t read_count = 0;
  constexpr std::size_t kNumbers = 2'000'000;
  for (std::size_t i = 0; i < kNumbers; ++i) {
    const std::size_t whole = 1 + random() % 15;
    const std::size_t places = random() % std::min<std::size_t>(16, 20 - whole);
    std::string text = (random() % 4 == 0 ? "-" : "") + random_digits(random, whole);
    if (places > 0) text += "." + random_digits(random, places);
    read_count += is_read_right(text);
    if (HasFailure()) return;
  }
  // Of those with more bits than a double two in a thousand are left to the general parser.
  EXPECT_GT(read_count, kNumbers / 1000 * 998);
}

TEST(ShortDecimal, WhatProgramsPrintOfADoubleComesBack) {
  std::mt19937_64 random(8);
  for (std::size_t i = 0; i < 500'000; ++i) {
    const double value =
        std::ldexp(static_cast<double>(random() >> 11), -53 + static_cast<int>(random() % 30));
    const std::string text = fmt::format("{}", value);
    if (const auto result = read(text)) {
      ASSERT_TRUE(result->length < text.size() || result->value == value) << text;
    }
  }
}

TEST(ShortDecimal, HalfwayBetweenTwoDoubles) {
  // From 2^53 on every odd integer is halfway; one place behind the point moves it off.
  std::mt19937_64 random(9);
  for (std::size_t i = 0; i < 200'000; ++i) {
    const std::uint64_t odd = (std::uint64_t{1} << 53) + 2 * (random() >> 12) + 1;
    for (const char* places : {"", ".0", ".5", ".01"}) is_read_right(std::to_string(odd) + places);
    is_read_right(std::to_string(odd - 1) + ".99");
    // The same with two binary places.
    is_read_right(fmt::format("{}.{}", odd / 4, std::array{"00", "25", "50", "75"}[odd % 4]));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace pulsecast
