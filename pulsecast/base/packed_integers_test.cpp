#include "pulsecast/base/packed_integers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "pulsecast/base/random.h"

namespace pulsecast {
namespace {

PackedIntegers packed(const std::vector<std::int64_t>& values) {
  PackedIntegers integers;
  for (const std::int64_t value : values) integers.push_back(value);
  return integers;
}

void expect_same(const PackedIntegers& integers, const std::vector<std::int64_t>& values) {
  ASSERT_EQ(integers.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(integers[i], values[i]) << i;
}

std::int64_t signed_bits(std::uint64_t index) {
  const random::Block block = random::block({.seed = 1}, index);
  return static_cast<std::int64_t>(std::uint64_t{block[0]} << 32 | block[1]);
}

// Rising, falling, stepwise, random of every width, and the ends of the range.
std::vector<std::vector<std::int64_t>> sequences() {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::vector<std::vector<std::int64_t>> all(8, std::vector<std::int64_t>(1000));
  for (std::size_t i = 0; i < 1000; ++i) {
    const auto n = static_cast<std::int64_t>(i);
    const auto draw = signed_bits(i);
    all[0][i] = 2 + n;
    all[1][i] = 1'700'000'000'000 - n * 86'400'000;
    all[2][i] = n / 300;
    all[3][i] = n + draw % 100;
    all[4][i] = n * 7 + draw % 30'000;
    all[5][i] = draw % 2'000'000'000;
    all[6][i] = draw;
    all[7][i] = i % 2 == 0 ? kLeast : kMost;
  }
  return all;
}

TEST(PackedIntegers, HoldsWhatWasAdded) {
  for (const std::vector<std::int64_t>& values : sequences()) expect_same(packed(values), values);
}

TEST(PackedIntegers, TruncatesAnywhereAndGoesOn) {
  for (const std::vector<std::int64_t>& values : sequences()) {
    for (const std::size_t size : {0, 1, 127, 128, 129, 500, 896, 999, 1000, 2000}) {
      PackedIntegers integers = packed(values);
      integers.truncate(size);
      std::vector<std::int64_t> left(values.begin(),
                                     values.begin() + std::min<std::ptrdiff_t>(size, 1000));
      expect_same(integers, left);
      for (std::int64_t i = 0; i < 300; ++i) {
        integers.push_back(3 * i);
        left.push_back(3 * i);
      }
      expect_same(integers, left);
    }
  }
}

TEST(PackedIntegers, WhatRisesEvenlyTakesLittle) {
  PackedIntegers lines;
  for (std::int64_t line = 0; line < 1'000'000; ++line) lines.push_back(line);
  EXPECT_LT(lines.bytes(), 300'000U);
  // Days of a thousand series, one after another.
  PackedIntegers days;
  for (std::int64_t day = 0; day < 1'000'000; ++day) days.push_back(day % 1000 * 86'400'000);
  EXPECT_LT(days.bytes(), 1'500'000U);
}

TEST(PackedRows, ReadsLikeAVector) {
  PackedRows<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < 300; ++i) rows.push_back(4'000'000'000U - i);
  std::uint32_t next = 0;
  for (const std::uint32_t value : rows) EXPECT_EQ(value, 4'000'000'000U - next++);
  EXPECT_EQ(next, 300U);
  EXPECT_EQ(rows.front(), 4'000'000'000U);
  EXPECT_EQ(rows.back(), 4'000'000'000U - 299);
  PackedRows<std::uint32_t> twice = rows;
  twice.append(rows);
  EXPECT_EQ(std::vector<std::uint32_t>(twice.begin(), twice.end()).size(), 600U);
  EXPECT_EQ(twice[300], rows[0]);
}

}  // namespace
}  // namespace pulsecast
