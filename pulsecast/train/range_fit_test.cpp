#include "pulsecast/train/range_fit.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "pulsecast/settings/training_declaration.h"
#include "pulsecast/train/testing.h"

namespace pulsecast::train {
namespace {

// There are windows enough, but of each channel half of them have gaps: what is told cannot be had,
// and is not said to be.
TEST(RangeFit, AHeadThatNoChannelHasWindowsForIsNotSaidToBeThere) {
  Series series = testing::small_series(1200);
  // Of 600 rows that validate the newer 300 calibrate.
  for (const auto& [channel, begin] : {std::pair<std::size_t, std::ptrdiff_t>{0, 780}, {1, 930}}) {
    std::fill_n(series.channels[channel].values.begin() + begin, 150,
                std::numeric_limits<double>::quiet_NaN());
  }
  Settings settings;
  settings.data.lookback = "12";
  settings.data.horizon = "6";
  settings.data.split = "0.4,0.5,0.1";
  settings.model.hidden = 16;
  settings.training.epochs = 1;
  settings.training.calibration = 0.5;
  settings.training.intervals = Intervals::kQuantile;
  ThreadPool pool(1);
  const Fitted fitted = fit(series, settings, false, {}, pool);
  ASSERT_TRUE(fitted.ranges.has_value());
  EXPECT_EQ(fitted.ranges->head(), nullptr);
  const auto decision =
      std::ranges::find(fitted.plan.decisions, std::string("intervals"), &Decision::what);
  ASSERT_NE(decision, fitted.plan.decisions.end());
  EXPECT_EQ(decision->value, "residual");
  EXPECT_EQ(decision->why, "no channel has 199 windows that calibrate");
}

}  // namespace
}  // namespace pulsecast::train
