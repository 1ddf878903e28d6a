#include "pulsecast/evaluate/backtest_scores.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pulsecast {
namespace {

// Two channels in units of 10 and 2, two steps, and rows of which the third is of the next month.
class BacktestScoresTest : public ::testing::Test {
 protected:
  static constexpr std::int32_t kMay = 2024 * 12 + 4;

  void add(std::size_t row, std::vector<std::uint8_t> present, std::vector<float> truth,
           const std::vector<float>& model, const std::vector<float>& other) {
    const std::span<const float> forecasts[] = {model, other};
    scores_.add({row, present, truth}, forecasts);
  }

  Scaler scaler_{{100.0, 0.0}, {10.0, 2.0}};
  std::vector<std::int32_t> months_{kMay, kMay, kMay + 1, kMay + 1};
  BacktestScores scores_{{"model", "other"}, 2, 2, scaler_, months_};
};

TEST_F(BacktestScoresTest, AreMeansOfWhatIsPresent) {
  // Errors of the model: 1, -2 of the first channel, then 3, 0 of the second alone.
  add(0, {1, 0}, {0, 0, 9, 9}, {1, -2, 7, 7}, {0, 0, 0, 0});
  add(1, {0, 1}, {9, 9, 0, 1}, {7, 7, 3, 1}, {0, 0, 0, 1});
  const ScaledSeries rows = [] {
    Series series;
    for (int hour = 0; hour < 4; ++hour) series.stamps.push_back(Instant{hour * 3600000LL});
    series.step = Step::parse("1h");
    for (const char* name : {"a", "b"}) {
      series.channels.push_back({name, Role::kTarget, {0.0, 1.0, 3.0, 3.0}, 0, 0});
    }
    return ScaledSeries(series, Scaler({0.0, 0.0}, {1.0, 1.0}), CalendarPlan{});
  }();
  const RowRange all{0, 4};
  const auto results = scores_.results(rows, {&all, 1}, {}, 1);
  const BacktestContender& model = results[0];
  EXPECT_DOUBLE_EQ(model.overall.mse, (1.0 + 4.0 + 9.0) / 4);
  EXPECT_DOUBLE_EQ(model.overall.mae, 6.0 / 4);
  EXPECT_DOUBLE_EQ(model.overall.bias, 2.0 / 4);
  EXPECT_DOUBLE_EQ(model.overall.bias_units, (10.0 - 20.0 + 6.0) / 4);
  EXPECT_EQ(model.overall.values, 4u);
  // 110 for 100, 80 for 100; 6 for 0, 2 for 2.
  EXPECT_NEAR(model.overall.smape, (200.0 * 10 / 210 + 200.0 * 20 / 180 + 200.0 + 0.0) / 4, 1e-9);
  EXPECT_DOUBLE_EQ(model.per_channel[1].mae, 1.5);
  EXPECT_DOUBLE_EQ(model.per_step[0].bias, (1.0 + 3.0) / 2);
  // Rows 0 and 1 are of May; of the second window row 1 is too, and row 2 of June.
  ASSERT_EQ(model.per_month.size(), 2u);
  EXPECT_EQ(model.per_month[0].month, "2024-05");
  EXPECT_EQ(model.per_month[0].errors.values, 3u);
  EXPECT_DOUBLE_EQ(model.per_month[0].errors.mse, (1.0 + 4.0 + 9.0) / 3);
  EXPECT_DOUBLE_EQ(model.per_month[1].errors.mse, 0.0);
  // Rows differ by 1, 2 and 0 from the one before.
  ASSERT_EQ(model.scaled.size(), 1u);
  EXPECT_DOUBLE_EQ(model.scaled[0].mase, (1.5 + 1.5) / 2);
  EXPECT_DOUBLE_EQ(model.scaled[0].rmsse,
                   (std::sqrt(2.5) + std::sqrt(4.5)) / 2 / std::sqrt(5.0 / 3));
  EXPECT_DOUBLE_EQ(results[1].overall.mse, 0.0);
}

TEST_F(BacktestScoresTest, LossesAreOfEachOrigin) {
  add(0, {1, 1}, {0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2});
  add(1, {1, 0}, {0, 0, 0, 0}, {3, 0, 9, 9}, {0, 0, 9, 9});
  EXPECT_EQ(scores_.origins(), 2u);
  EXPECT_DOUBLE_EQ(scores_.losses(0)[0], 1.0);
  EXPECT_DOUBLE_EQ(scores_.losses(0)[1], 4.5);
  EXPECT_DOUBLE_EQ(scores_.losses(1)[0], 4.0);
}

}  // namespace
}  // namespace pulsecast
