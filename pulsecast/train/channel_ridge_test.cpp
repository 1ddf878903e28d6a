#include "pulsecast/train/channel_ridge.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "pulsecast/base/error.h"
#include "pulsecast/train/fit.h"
#include "pulsecast/train/testing.h"
#include "pulsecast/train/validation.h"

namespace pulsecast::train {
namespace {

Settings told(BackboneKind backbone, const char* lookback = "24") {
  Settings settings;
  settings.model.model = alone(backbone);
  settings.data.lookback = lookback;
  settings.data.horizon = "6";
  return settings;
}

Fitted fit_as(const Series& series, const Settings& settings, std::size_t threads = 1,
              bool refit = false) {
  ThreadPool pool(threads);
  return fit(series, settings, refit, {}, pool);
}

std::vector<float> channel_weights(const Fitted& fitted) {
  const auto own = fitted.ensemble.lead().parameters().weights();
  return {own.begin(), own.end()};
}

// One channel is a wave, the other changes its sign every three rows: no map serves both.
Series unlike_channels() {
  Series series = testing::small_series(600, 2);
  for (std::size_t row = 0; row < series.rows(); ++row) {
    const auto t = static_cast<double>(row);
    const double noise = 0.3 * std::sin(12.9 * t * t);
    series.channels[0].values[row] = std::sin(0.7 * t) + std::sin(0.23 * t) + noise;
    series.channels[1].values[row] = (row / 3 % 2 == 0 ? 1.0 : -1.0) + noise;
  }
  return series;
}

TEST(ChannelRidge, ChannelsThatDifferHaveTheirOwn) {
  const Series series = unlike_channels();
  const Fitted shared = fit_as(series, told(BackboneKind::kLinear));
  const Fitted own = fit_as(series, told(BackboneKind::kChannelLinear));
  EXPECT_LT(own.result.best_validation, 0.95 * shared.result.best_validation);
}

// What the moments say of the maps is what the model makes of windows, with the cycle taken off and
// without, and with a look-back of half a cycle.
TEST(ChannelRidge, ItsValidationErrorIsThatOfTheModel) {
  const Series series = testing::small_series(600);
  for (const char* lookback : {"12", "24", "120"}) {
    Settings settings = told(BackboneKind::kChannelLinear, lookback);
    settings.training.calibration = 0.0;  // all of validation chooses the strengths
    const Fitted fitted = fit_as(series, settings);
    ASSERT_EQ(fitted.plan.shape.period, 24u);
    const ScaledSeries scaled(series, fitted.scaler, fitted.plan.calendar);
    const Windows windows(scaled, fitted.plan.shape.lookback, 6, fitted.plan.split.validation,
                          History::kReaches);
    ThreadPool pool(1);
    const double measured = Validation(fitted.ensemble.lead(), windows, 32, pool).measure().mse;
    EXPECT_NEAR(measured, fitted.result.best_validation, 1e-4 * measured) << lookback;
  }
}

TEST(ChannelRidge, FewCyclesAreTakenOffAndManyAreNot) {
  EXPECT_TRUE(takes_off_cycle(336, 168));
  EXPECT_TRUE(takes_off_cycle(12, 24));
  EXPECT_FALSE(takes_off_cycle(336, 24));
  EXPECT_FALSE(takes_off_cycle(336, 1));
}

TEST(ChannelRidge, ChannelsThatAreAlikeShare) {
  Series series = testing::small_series(300, 2);
  series.channels[1].values = series.channels[0].values;
  const Fitted shared = fit_as(series, told(BackboneKind::kLinear, "120"));
  const Fitted own = fit_as(series, told(BackboneKind::kChannelLinear, "120"));
  EXPECT_LE(own.result.best_validation, shared.result.best_validation * (1.0 + 1e-6));
}

// A channel without a window to learn from has what the others have.
TEST(ChannelRidge, AChannelWithoutWindowsIsForecastAsTheOthers) {
  Series series = testing::small_series(600, 3);
  series.channels[2].values = series.channels[1].values;
  constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t row = 0; row < series.rows(); row += 20) {
    series.channels[2].values[row] = kGap;
  }
  Settings settings = told(BackboneKind::kChannelLinear);
  settings.data.fill = Fill::kNone;
  const Fitted fitted = fit_as(series, settings);
  EXPECT_EQ(fitted.result.strengths.size(), 4u);
  EXPECT_EQ(fitted.result.strengths[3], 0u);
  for (const float weight : channel_weights(fitted)) EXPECT_TRUE(std::isfinite(weight));
}

TEST(ChannelRidge, SeriesOfAPanelShareTheirWeights) {
  Settings settings = told(BackboneKind::kChannelLinear);
  settings.data.panel = Panel::kSeries;
  try {
    fit_as(testing::small_series(300, 3), settings);
    FAIL() << "there is one channel for all";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(error.message().find("series of a panel"), std::string::npos) << error.message();
  }
}

// Asked from one thread: what a caller gives need not be ready for more.
TEST(ChannelRidge, WhetherToStopIsAskedOnTheCallersThread) {
  FitHooks hooks;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> elsewhere = 0;
  hooks.watch.is_cancelled = [&] {
    if (std::this_thread::get_id() != caller) ++elsewhere;
    return false;
  };
  ThreadPool pool(4);
  fit(testing::small_series(300, 7), told(BackboneKind::kChannelLinear), false, hooks, pool);
  EXPECT_EQ(elsewhere, 0);
}

TEST(ChannelRidge, WithoutValidationAllShare) {
  Settings settings = told(BackboneKind::kChannelLinear);
  settings.data.split = "0.8,0,0.2";
  const Fitted fitted = fit_as(testing::small_series(300), settings);
  EXPECT_EQ(fitted.result.strengths, (std::vector<std::uint32_t>{11, 0, 0}));
  EXPECT_GT(fitted.result.history.front().training_loss, 0.0);
}

TEST(ChannelRidge, TheSameBitsOnAnyNumberOfThreads) {
  const Series series = testing::small_series(300, 7);
  const std::vector<float> one =
      channel_weights(fit_as(series, told(BackboneKind::kChannelLinear), 1));
  EXPECT_EQ(one, channel_weights(fit_as(series, told(BackboneKind::kChannelLinear), 3)));
}

TEST(ChannelRidge, ASecondTrainingHasTheStrengthsThatValidatedBest) {
  const Series series = unlike_channels();
  const Fitted once = fit_as(series, told(BackboneKind::kChannelLinear));
  const Fitted again = fit_as(series, told(BackboneKind::kChannelLinear), 1, true);
  EXPECT_TRUE(again.is_refit);
  EXPECT_EQ(again.result.strengths, once.result.strengths);
  EXPECT_NE(channel_weights(again), channel_weights(once));
}

}  // namespace
}  // namespace pulsecast::train
