#include "pulsecast/data/series/scaled_series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "pulsecast/base/error.h"
#include "pulsecast/base/missing.h"

namespace pulsecast {
namespace {

const CalendarPlan kPlan{{CalendarFeature::kHourOfDay}, 24, PhaseSource::kTimestamp};

// Hourly rows from 2024-01-01 on; 'load' alternates between 1 and 3, and then `last` follows.
Series ending_with(double last, std::size_t rows = 10) {
  Series series;
  series.source = "load.csv";
  series.channels.push_back({"load", Role::kTarget, {}});
  for (std::size_t row = 0; row <= rows; ++row) {
    series.stamps.push_back({1'704'067'200'000 + static_cast<std::int64_t>(row) * 3'600'000});
    series.channels[0].values.push_back(row == rows ? last : row % 2 == 0 ? 1.0 : 3.0);
  }
  return series;
}

std::string refusal(double last) {
  const Series series = ending_with(last);
  const Scaler scaler = Scaler::fit(series, {0, 10});
  try {
    const ScaledSeries scaled(series, scaler, kPlan);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
  return "";
}

TEST(ScaledSeries, ValuesAreScaledAndGapsStayGaps) {
  const Series series = ending_with(kMissing);
  const ScaledSeries scaled(series, Scaler::fit(series, {0, 10}), kPlan, 2);
  ASSERT_EQ(scaled.channel(0).size(), 13u);
  EXPECT_EQ(scaled.channel(0)[0], -1.0f);
  EXPECT_EQ(scaled.channel(0)[1], 1.0f);
  for (std::size_t row = 10; row < 13; ++row) EXPECT_TRUE(std::isnan(scaled.channel(0)[row]));
  EXPECT_EQ(scaled.target_rows(), 10u);
  EXPECT_EQ(scaled.phases()[12], 12);
}

// A float holds 3e38, its square does not: such a value would end training with a loss that is not
// finite, long after its row was forgotten.
TEST(ScaledSeries, AValueTooFarOutIsRefusedWithItsPlace) {
  EXPECT_EQ(
      refusal(1e300),
      "load.csv, column 'load': 1e+300 at 2024-01-01 10:00:00 (row 11) is too far from the "
      "training rows' mean 2 and deviation 1 to compute with. Correct the cell; fill fills it "
      "once it is empty");
  EXPECT_NE(refusal(-1e20), "");
  EXPECT_NE(refusal(std::numeric_limits<double>::infinity()), "");
  EXPECT_EQ(refusal(1e12), "") << "far, but nothing that floats cannot hold";
}

}  // namespace
}  // namespace pulsecast
