#include "pulsecast/metrics/interval_scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "pulsecast/metrics/coverage_bootstrap.h"
#include "pulsecast/metrics/quantile_loss.h"

namespace pulsecast {
namespace {

TEST(IntervalScore, IsTheWidthAndWhatLiesOutsideTimesTwoOverAlpha) {
  EXPECT_DOUBLE_EQ(interval_score(1.0, 3.0, 2.0, 80.0), 2.0);
  EXPECT_DOUBLE_EQ(interval_score(1.0, 3.0, 3.0, 80.0), 2.0);
  EXPECT_NEAR(interval_score(1.0, 3.0, 3.5, 80.0), 2.0 + 10.0 * 0.5, 1e-12);
  EXPECT_NEAR(interval_score(1.0, 3.0, 0.0, 95.0), 2.0 + 40.0, 1e-12);
}

TEST(IntervalSums, CountWhatLiesOnEachSide) {
  IntervalSums sums(2, 80.0);
  sums.add(std::vector<double>{0, 0}, std::vector<double>{1, 2}, std::vector<double>{0.5, 3});
  sums.add(std::vector<double>{0, 0}, std::vector<double>{1, 2}, std::vector<double>{-1, 2});
  EXPECT_DOUBLE_EQ(sums.step(0).coverage, 0.5);
  EXPECT_DOUBLE_EQ(sums.step(0).below, 0.5);
  EXPECT_DOUBLE_EQ(sums.step(1).above, 0.5);
  EXPECT_DOUBLE_EQ(sums.overall().coverage, 0.5);
  EXPECT_DOUBLE_EQ(sums.overall().width, 1.5);
  EXPECT_NEAR(sums.overall().score, 1.5 + 20.0 / 4, 1e-12);
}

TEST(IntervalTable, HasChannelsStepsAndUnits) {
  std::vector<IntervalSums> channels(3, IntervalSums(1, 80.0));
  channels[0].add_step(0, 0.0, 1.0, 0.5);
  channels[1].add_step(0, 0.0, 2.0, 5.0);
  const IntervalTable table = interval_table(channels, std::vector<double>{10.0, 1.0, 1.0});
  EXPECT_DOUBLE_EQ(table.level, 80.0);
  EXPECT_DOUBLE_EQ(table.per_channel[0].width, 10.0);
  EXPECT_DOUBLE_EQ(table.per_channel[1].coverage, 0.0);
  EXPECT_TRUE(std::isnan(table.per_channel[2].coverage));
  EXPECT_DOUBLE_EQ(table.per_step[0].coverage, 0.5);
  EXPECT_DOUBLE_EQ(table.overall.width, 6.0);
}

TEST(Msis, DividesByTheSeasonsChangeAndHasNoneOfAConstant) {
  EXPECT_DOUBLE_EQ(msis(6.0, 2.0), 3.0);
  EXPECT_TRUE(std::isnan(msis(6.0, 0.0)));
}

TEST(PinballLoss, CostsEachSideByItsProbability) {
  EXPECT_DOUBLE_EQ(pinball_loss(0.9, 1.0, 3.0), 1.8);
  EXPECT_NEAR(pinball_loss(0.9, 3.0, 1.0), 0.2, 1e-12);
  EXPECT_DOUBLE_EQ(pinball_loss(0.5, 3.0, 1.0), 1.0);
}

// An interval score is the pinball losses of its two bounds over alpha/2.
TEST(PinballLoss, AddsUpToTheIntervalScore) {
  for (const double truth : {-2.0, 0.3, 4.0}) {
    const double losses = pinball_loss(0.1, -1.0, truth) + pinball_loss(0.9, 2.0, truth);
    EXPECT_NEAR(interval_score(-1.0, 2.0, truth, 80.0), losses / 0.1, 1e-12);
  }
}

TEST(QuantileSums, WeighByWhatCame) {
  QuantileSums sums({0.1, 0.9});
  sums.add(std::vector<double>{1.0, 3.0}, 2.0);
  sums.add(std::vector<double>{1.0, 3.0}, -4.0);
  EXPECT_NEAR(sums.loss(0), (0.1 + 4.5) / 2, 1e-12);
  EXPECT_NEAR(sums.weighted_loss(), 2.0 * (0.1 + 4.5 + 0.1 + 0.7) / 6.0 / 2.0, 1e-12);
}

// The CRPS of the uniform distribution on [0, 1] where x came is x^2 - x + 1/3.
TEST(QuantileSums, GiveTheCrpsOfAKnownLaw) {
  std::vector<double> probabilities;
  for (int i = 0; i < 1000; ++i) probabilities.push_back((i + 0.5) / 1000.0);
  QuantileSums sums(probabilities);
  sums.add(probabilities, 0.25);
  EXPECT_NEAR(sums.crps(), 0.25 * 0.25 - 0.25 + 1.0 / 3.0, 1e-5);
}

TEST(CoverageRange, IsWiderWhereWindowsHangTogether) {
  std::vector<double> hits;
  for (int i = 0; i < 400; ++i) hits.push_back((i / 40) % 5 == 0 ? 0.0 : 1.0);  // mean 0.8
  const CoverageRange alone = coverage_range(hits, 1);
  const CoverageRange together = coverage_range(hits, 40);
  EXPECT_LT(alone.lower, 0.8);
  EXPECT_GT(alone.upper, 0.8);
  // As a mean of 400 coins has it: 0.8 -+ 1.96 sqrt(0.16 / 400).
  EXPECT_NEAR(alone.upper - alone.lower, 2 * 1.96 * 0.02, 0.008);
  EXPECT_GT(together.upper - together.lower, 2.0 * (alone.upper - alone.lower));
  EXPECT_EQ(coverage_range(hits, 40).lower, together.lower);
  EXPECT_TRUE(std::isnan(coverage_range({}, 3).lower));
}

}  // namespace
}  // namespace pulsecast
