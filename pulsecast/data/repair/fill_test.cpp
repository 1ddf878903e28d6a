#include "pulsecast/data/repair/fill.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "pulsecast/base/missing.h"
#include "pulsecast/base/random.h"

namespace pulsecast {
namespace {

using Values = std::vector<double>;

void expect_equal(const Values& found, const Values& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_TRUE(found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i])))
        << "at " << i << ": " << found[i] << " for " << expected[i];
  }
}

TEST(Fill, ZeroFillsTheEdgesToo) {
  Values values = {kMissing, 1, kMissing};
  EXPECT_EQ(fill_zero(values), 2U);
  expect_equal(values, {0, 1, 0});
}

TEST(Fill, PreviousRepeatsTheValueBefore) {
  Values values = {kMissing, 1, kMissing, kMissing, 4, kMissing};
  EXPECT_EQ(fill_previous(values), 3U);
  expect_equal(values, {kMissing, 1, 1, 1, 4, 4});
}

TEST(Fill, LinearDrawsALineBetweenNeighboursAndLeavesTheEdges) {
  Values values = {kMissing, 1, kMissing, kMissing, 4, kMissing, 2, kMissing};
  EXPECT_EQ(fill_linear(values), 3U);
  expect_equal(values, {kMissing, 1, 2, 3, 4, 3, 2, kMissing});
}

TEST(Fill, SeasonalTakesTheValueOnePeriodEarlier) {
  Values values = {1, 2, kMissing, kMissing, 5, kMissing, 7, kMissing, kMissing};
  EXPECT_EQ(fill_seasonal(values, 3), 2U);
  expect_equal(values, {1, 2, kMissing, 1, 5, kMissing, 7, 5, kMissing});
}

TEST(Fill, ALineBetweenHugeValuesDoesNotOverflow) {
  Values values = {-1.5e308, kMissing, 1.5e308};
  fill_linear(values);
  EXPECT_EQ(values[1], 0);
}

// Whatever the gaps: what was there stays, and what is filled is what the name says.
TEST(Fill, RandomGapsKeepTheirPromises) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    Values holes(60);
    for (std::size_t i = 0; i < holes.size(); ++i) {
      const random::Block draw = random::block({.seed = trial}, i);
      holes[i] = draw[0] % 3 == 0 ? kMissing : static_cast<double>(draw[1] % 100);
    }
    Values previous = holes;
    Values linear = holes;
    Values seasonal = holes;
    fill_previous(previous);
    fill_linear(linear);
    fill_seasonal(seasonal, 7);
    for (std::size_t i = 0; i < holes.size(); ++i) {
      if (!std::isnan(holes[i])) {
        EXPECT_EQ(previous[i], holes[i]);
        EXPECT_EQ(linear[i], holes[i]);
        EXPECT_EQ(seasonal[i], holes[i]);
        continue;
      }
      if (i > 0 && !std::isnan(previous[i])) {
        EXPECT_EQ(previous[i], previous[i - 1]);
      }
      if (i >= 7 && !std::isnan(seasonal[i])) {
        EXPECT_EQ(seasonal[i], seasonal[i - 7]);
      }
      if (i > 0 && i + 1 < holes.size() && !std::isnan(linear[i])) {
        EXPECT_NEAR(linear[i] - linear[i - 1], linear[i + 1] - linear[i], 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace pulsecast
