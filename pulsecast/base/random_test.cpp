#include "pulsecast/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

namespace pulsecast::random {
namespace {

// Known answers published with Random123 (kat_vectors, philox4x32-10).
TEST(Philox, MatchesThePublishedVectors) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, 0), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, 0xffffffffffffffff),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, EveryPartOfTheNameMatters) {
  const Stream base{.seed = 7, .purpose = Purpose::kShuffle, .epoch = 3, .step = 5};
  std::vector<Stream> streams(5, base);
  streams[1].seed = 8;
  streams[2].purpose = Purpose::kDropout;
  streams[3].epoch = 4;
  streams[4].step = 6;
  std::set<double> draws;
  for (const Stream& stream : streams) draws.insert(uniform(stream, 11));
  draws.insert(uniform(base, 12));
  EXPECT_EQ(draws.size(), 6u);
  EXPECT_EQ(uniform(base, 11), uniform(streams[0], 11));
}

struct Moments {
  double mean = 0;
  double variance = 0;
};

template <typename Draw>
Moments moments(int count, Draw draw) {
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < count; ++i) {
    const double x = draw(static_cast<std::uint64_t>(i));
    sum += x;
    squares += x * x;
  }
  const double mean = sum / count;
  return {mean, squares / count - mean * mean};
}

constexpr int kDraws = 200000;

TEST(Random, UniformHasItsMoments) {
  const Stream stream{.seed = 1};
  const Moments m = moments(kDraws, [&](auto i) {
    const double x = uniform(stream, i);
    EXPECT_TRUE(x >= 0.0 && x < 1.0);
    return x;
  });
  EXPECT_NEAR(m.mean, 0.5, 0.003);
  EXPECT_NEAR(m.variance, 1.0 / 12.0, 0.002);
}

TEST(Random, NormalHasItsMomentsAndTails) {
  const Stream stream{.seed = 2};
  int beyond_two = 0;
  const Moments m = moments(kDraws, [&](auto i) {
    const double x = normal(stream, i);
    beyond_two += std::abs(x) > 2.0;
    return x;
  });
  EXPECT_NEAR(m.mean, 0.0, 0.01);
  EXPECT_NEAR(m.variance, 1.0, 0.02);
  EXPECT_NEAR(static_cast<double>(beyond_two) / kDraws, 0.0455, 0.002);
}

// Beta(a, a) has mean 1/2 and variance 1 / (4 (2a + 1)).
TEST(Random, BetaHasItsMomentsAlsoWhereGammasUnderflow) {
  for (const double a : {0.01, 0.15, 0.5, 1.0, 4.0}) {
    const Stream stream{.seed = 3, .purpose = Purpose::kMixupWeight};
    const Moments m = moments(40000, [&](auto i) {
      const double x = beta(stream, i, a);
      EXPECT_TRUE(x >= 0.0 && x <= 1.0) << x;
      return x;
    });
    EXPECT_NEAR(m.mean, 0.5, 0.01) << a;
    EXPECT_NEAR(m.variance, 0.25 / (2 * a + 1), 0.005) << a;
  }
}

TEST(Random, PermutationIsOneAndEveryPlaceIsEquallyLikely) {
  constexpr std::size_t kSize = 5;
  std::vector<int> counts(kSize * kSize, 0);
  for (std::uint32_t step = 0; step < 20000; ++step) {
    std::vector<std::uint32_t> order(kSize);
    permutation({.seed = 4, .purpose = Purpose::kShuffle, .step = step}, order);
    for (std::size_t i = 0; i < kSize; ++i) ++counts[i * kSize + order[i]];
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < kSize; ++i) ASSERT_EQ(order[i], i);
  }
  for (const int count : counts) EXPECT_NEAR(count, 4000, 250);
}

TEST(Random, PermutationOfNothingAndOne) {
  permutation({}, {});
  std::uint32_t only = 9;
  permutation({}, {&only, 1});
  EXPECT_EQ(only, 0u);
}

TEST(Random, DropoutKeepsTheExpectationAndDependsOnTheRow) {
  const Stream stream{.seed = 5, .purpose = Purpose::kDropout};
  std::vector<float> scale(100003);
  dropout_scale(stream, 0, 0.1f, scale);
  const double mean =
      std::accumulate(scale.begin(), scale.end(), 0.0) / static_cast<double>(scale.size());
  EXPECT_NEAR(mean, 1.0, 0.005);
  std::vector<float> other(scale.size());
  dropout_scale(stream, 1, 0.1f, other);
  EXPECT_NE(scale, other);
  // A prefix is the same draw: what a shard computes does not depend on how far it goes.
  std::vector<float> prefix(1001);
  dropout_scale(stream, 0, 0.1f, prefix);
  EXPECT_TRUE(std::equal(prefix.begin(), prefix.end(), scale.begin()));
}

TEST(Random, DropoutRateZeroKeepsEverything) {
  std::vector<float> scale(1000);
  dropout_scale({.seed = 6}, 3, 0.0f, scale);
  EXPECT_EQ(std::count(scale.begin(), scale.end(), 1.0f), 1000);
}

}  // namespace
}  // namespace pulsecast::random
