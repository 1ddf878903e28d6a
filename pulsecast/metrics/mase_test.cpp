#include "pulsecast/metrics/mase.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "pulsecast/metrics/testing.h"

namespace pulsecast {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
using testing::kGap;
using testing::Values;
using Means = std::vector<double>;

TEST(MeanLagDifference, IsOverPairsThatAreThere) {
  EXPECT_DOUBLE_EQ(mean_lag_difference(Values{1, 3, 2, 6}, 1), (2.0 + 1.0 + 4.0) / 3);
  EXPECT_DOUBLE_EQ(mean_lag_difference(Values{1, 3, 2, 6}, 3), 5.0);
  EXPECT_DOUBLE_EQ(mean_lag_difference(Values{1, kGap, 2, 6, 5}, 1), (4.0 + 1.0) / 2);
  EXPECT_DOUBLE_EQ(mean_lag_difference(Values{1, kGap, 2, 6, 5}, 2), (1.0 + 3.0) / 2);
}

TEST(MeanLagDifference, IsNoneWithoutAPair) {
  EXPECT_TRUE(std::isnan(mean_lag_difference(Values{1, 3}, 2)));
  EXPECT_TRUE(std::isnan(mean_lag_difference(Values{}, 1)));
  EXPECT_TRUE(std::isnan(mean_lag_difference(Values{1, kGap, 2}, 1)));
}

TEST(RootMeanSquareLagDifference, IsOverPairsThatAreThere) {
  EXPECT_DOUBLE_EQ(root_mean_square_lag_difference(Values{1, 3, 2, 6}, 1),
                   std::sqrt((4.0 + 1.0 + 16.0) / 3));
  EXPECT_DOUBLE_EQ(root_mean_square_lag_difference(Values{1, kGap, 2, 6, 5}, 2),
                   std::sqrt((1.0 + 9.0) / 2));
  EXPECT_TRUE(std::isnan(root_mean_square_lag_difference(Values{1}, 1)));
}

// The two differ by where the channels come together: 3 / 5 of the sums, or the mean of 2 and 0.25.
TEST(Mase, ThePapersPoolsChannelsAndTheUsualDoesNot) {
  const Means errors = {2.0, 1.0};
  const Means differences = {1.0, 4.0};
  const Mase paper = paper_mase(errors, differences);
  const Mase usual = usual_mase(errors, differences);
  EXPECT_DOUBLE_EQ(paper.overall, 0.6);
  EXPECT_DOUBLE_EQ(usual.overall, 1.125);
  EXPECT_EQ(paper.per_channel, (Means{2.0, 0.25}));
  EXPECT_EQ(usual.per_channel, (Means{2.0, 0.25}));
  EXPECT_EQ(usual.channels, 2u);
}

TEST(Mase, OfAConstantChannelIsNone) {
  const Means errors = {2.0, 1.0, 5.0};
  const Means differences = {1.0, 0.0, kNone};
  const Mase usual = usual_mase(errors, differences);
  EXPECT_DOUBLE_EQ(usual.overall, 2.0);
  EXPECT_EQ(usual.channels, 1u);
  EXPECT_TRUE(std::isnan(usual.per_channel[1]));
  EXPECT_TRUE(std::isnan(usual.per_channel[2]));
  EXPECT_DOUBLE_EQ(paper_mase(errors, differences).overall, 3.0)
      << "pooled: a constant channel has errors, one without pairs is left out";
}

TEST(Mase, WithoutAnyIsNaNAndSaysSo) {
  EXPECT_TRUE(std::isnan(usual_mase(Means{1.0}, Means{0.0}).overall));
  EXPECT_TRUE(std::isnan(paper_mase(Means{1.0}, Means{0.0}).overall));
  EXPECT_EQ(usual_mase(Means{1.0}, Means{0.0}).channels, 0u);
}

TEST(Mase, AForecastThatFailedShows) {
  const Mase usual = usual_mase(Means{kNone, 1.0}, Means{1.0, 1.0});
  EXPECT_TRUE(std::isnan(usual.overall));
  EXPECT_EQ(usual.channels, 2u);
}

}  // namespace
}  // namespace pulsecast
