#include "pulsecast/metrics/scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pulsecast {
namespace {

// A forecast and what came, as a batch of two channels and three steps.
struct Sample {
  std::vector<float> forecast;  // (B, 2, 3)
  std::vector<float> target;

  Batch batch(std::size_t samples) {
    Batch batch;
    batch.shape = {.samples = samples, .channels = 2, .lookback = 1, .horizon = 3};
    batch.target = target;
    return batch;
  }
  Forecast made(std::size_t samples) { return {samples, 2, 3, forecast}; }
};

// Errors 1 0 -1 | 2 2 2 and 3 0 1 | 0 0 -2.
Sample two_windows() {
  return {.forecast = {1, 0, -1, 2, 2, 2, 3, 0, 1, 0, 0, -2},
          .target = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
}

TEST(Scores, AreMeansOverWindowsChannelsAndSteps) {
  Sample sample = two_windows();
  Scores scores(2, 3);
  scores.add(sample.made(2), sample.batch(2));
  EXPECT_EQ(scores.rows(), 4u);
  const ErrorTable table = scores.table();
  EXPECT_DOUBLE_EQ(table.overall.mse, 28.0 / 12);
  EXPECT_DOUBLE_EQ(table.overall.mae, 14.0 / 12);
  EXPECT_DOUBLE_EQ(table.overall.rmse, std::sqrt(28.0 / 12));
  ASSERT_EQ(table.per_channel.size(), 2u);
  EXPECT_DOUBLE_EQ(table.per_channel[0].mse, 12.0 / 6);
  EXPECT_DOUBLE_EQ(table.per_channel[1].mse, 16.0 / 6);
  EXPECT_DOUBLE_EQ(table.per_channel[0].mae, 6.0 / 6);
  EXPECT_DOUBLE_EQ(table.per_channel[1].mae, 8.0 / 6);
  ASSERT_EQ(table.per_step.size(), 3u);
  EXPECT_DOUBLE_EQ(table.per_step[0].mse, 14.0 / 4);
  EXPECT_DOUBLE_EQ(table.per_step[1].mse, 4.0 / 4);
  EXPECT_DOUBLE_EQ(table.per_step[2].mse, 10.0 / 4);
  EXPECT_DOUBLE_EQ(table.per_step[2].mae, 6.0 / 4);
  EXPECT_DOUBLE_EQ(table.per_step[2].rmse, std::sqrt(10.0 / 4));
  EXPECT_EQ(scores.absolute_errors(), (std::vector<double>{1.0, 8.0 / 6}));
}

TEST(Scores, OriginalUnitsWeighChannelsByTheirScale) {
  Sample sample = two_windows();
  Scores scores(2, 3);
  scores.add(sample.made(2), sample.batch(2));
  const ErrorTable table = scores.table(std::vector<double>{10.0, 0.5});
  EXPECT_DOUBLE_EQ(table.overall.mse, (1200.0 + 4.0) / 12);
  EXPECT_DOUBLE_EQ(table.overall.mae, (60.0 + 4.0) / 12);
  EXPECT_DOUBLE_EQ(table.per_channel[0].rmse, std::sqrt(200.0));
  EXPECT_DOUBLE_EQ(table.per_channel[1].mae, 4.0 / 6);
  EXPECT_DOUBLE_EQ(table.per_step[1].mse, 1.0 / 4);
}

TEST(Scores, DoNotDependOnHowWindowsAreCutIntoBatches) {
  Sample both = two_windows();
  Scores together(2, 3);
  together.add(both.made(2), both.batch(2));

  Sample second = two_windows();
  std::copy_n(second.forecast.begin() + 6, 6, second.forecast.begin());
  Scores apart(2, 3);
  apart.add(both.made(1), both.batch(1));  // with memory for more samples than it holds
  EXPECT_EQ(apart.rows(), 2u);
  apart.add(second.made(1), second.batch(1));
  EXPECT_EQ(apart.rows(), 4u);
  EXPECT_EQ(apart.table().overall.mse, together.table().overall.mse);
  EXPECT_EQ(apart.table().overall.mae, together.table().overall.mae);
}

// The difference of two floats near 1000 is exact in double; squares of small ones must not be
// lost beside a large sum.
TEST(Scores, AddUpInDouble) {
  ErrorSums sums(1);
  const float zero[] = {0.0F};
  const float large[] = {4096.0F};
  const float small[] = {0.25F};
  sums.add(large, zero);
  for (int i = 0; i < 1000; ++i) sums.add(small, zero);
  EXPECT_EQ(sums.squares()[0], 4096.0 * 4096.0 + 1000 * 0.0625);
}

TEST(Scores, AForecastThatIsNotFiniteShows) {
  Sample sample = two_windows();
  sample.forecast[4] = std::numeric_limits<float>::quiet_NaN();  // channel 1, step 1
  Scores scores(2, 3);
  scores.add(sample.made(2), sample.batch(2));
  const ErrorTable table = scores.table();
  EXPECT_TRUE(std::isnan(table.overall.mse));
  EXPECT_TRUE(std::isnan(table.per_channel[1].mae));
  EXPECT_TRUE(std::isnan(table.per_step[1].rmse));
  EXPECT_DOUBLE_EQ(table.per_channel[0].mse, 2.0);
  EXPECT_DOUBLE_EQ(table.per_step[0].mse, 3.5);
}

}  // namespace
}  // namespace pulsecast
