#include "pulsecast/search/blend.h"

#include <gtest/gtest.h>

#include <numeric>

#include "pulsecast/base/random.h"

namespace pulsecast::search {
namespace {

std::vector<float> noise(std::uint32_t stream, double scale, std::size_t count = 4000) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(scale * random::normal({.seed = 3, .step = stream}, i));
  }
  return values;
}

double mean_square(std::span<const std::vector<float>> residuals, std::span<const double> shares) {
  double sum = 0.0;
  for (std::size_t v = 0; v < residuals[0].size(); ++v) {
    double error = 0.0;
    for (std::size_t i = 0; i < residuals.size(); ++i) {
      error += shares[i] * static_cast<double>(residuals[i][v]);
    }
    sum += error * error;
  }
  return sum / static_cast<double>(residuals[0].size());
}

std::vector<double> shares_of(std::span<const std::vector<float>> residuals, double least) {
  const std::vector<std::span<const float>> views(residuals.begin(), residuals.end());
  return blend_shares(views, least);
}

// Errors that have nothing in common are worth the inverse of their squares.
TEST(Blend, UnrelatedErrorsShareByTheirSize) {
  const std::vector<std::vector<float>> residuals{noise(1, 1.0), noise(2, 2.0)};
  const std::vector<double> shares = shares_of(residuals, 0.0);
  EXPECT_NEAR(shares[0], 0.8, 0.03);
  EXPECT_NEAR(shares[1], 0.2, 0.03);
}

TEST(Blend, NoOtherSharesMissLess) {
  const std::vector<std::vector<float>> residuals{noise(1, 1.0), noise(2, 1.2), noise(3, 1.4)};
  const std::vector<double> shares = shares_of(residuals, 0.0);
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1.0, 1e-12);
  const double least = mean_square(residuals, shares);
  for (double a = 0.0; a <= 1.0; a += 0.1) {
    for (double b = 0.0; a + b <= 1.0; b += 0.1) {
      const std::vector<double> other{a, b, 1.0 - a - b};
      EXPECT_LE(least, mean_square(residuals, other) + 1e-12) << a << " " << b;
    }
  }
}

// The same forecast with more noise on top brings nothing: it would need a share below zero.
TEST(Blend, WhatAddsNothingHasNoShare) {
  std::vector<std::vector<float>> residuals{noise(1, 1.0), noise(1, 1.0), noise(4, 0.9)};
  const std::vector<float> more = noise(2, 1.0);
  for (std::size_t v = 0; v < more.size(); ++v) residuals[1][v] += more[v];
  const std::vector<double> shares = shares_of(residuals, 0.05);
  EXPECT_EQ(shares[1], 0.0);
  EXPECT_GT(shares[0], 0.3);
  EXPECT_GT(shares[2], 0.3);
}

TEST(Blend, SmallSharesGoToTheOthers) {
  const std::vector<std::vector<float>> residuals{noise(1, 1.0), noise(2, 10.0)};
  const std::vector<double> small = shares_of(residuals, 0.0);
  ASSERT_GT(small[1], 0.0);
  ASSERT_LT(small[1], 0.05);
  EXPECT_EQ(shares_of(residuals, 0.05), (std::vector<double>{1.0, 0.0}));
}

TEST(Blend, OneAloneHasAll) {
  EXPECT_EQ(shares_of(std::vector<std::vector<float>>{noise(1, 1.0)}, 0.05),
            std::vector<double>{1.0});
}

// The best of each kind that is near the best of all; the first of equals.
TEST(Blend, EvenSharesAreOfTheBestOfEachKindNearby) {
  const std::vector<double> errors{1.0, 1.1, 0.95, 1.15, 1.3, 0.95};
  const std::vector<std::size_t> kinds{0, 0, 1, 2, 3, 1};
  const double third = 1.0 / 3.0;
  EXPECT_EQ(even_shares(errors, kinds, 1.25),
            (std::vector<double>{third, 0.0, third, third, 0.0, 0.0}));
}

}  // namespace
}  // namespace pulsecast::search
