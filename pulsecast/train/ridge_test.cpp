#include "pulsecast/train/ridge.h"

#include <cmath>

#include "pulsecast/base/error.h"
#include "pulsecast/train/completion.h"
#include "pulsecast/train/fit.h"
#include "pulsecast/train/testing.h"
#include "pulsecast/train/validation.h"

namespace pulsecast::train {
namespace {

Settings linear_settings() {
  Settings settings;
  settings.model.model = alone(BackboneKind::kLinear);
  settings.data.lookback = "24";
  settings.data.horizon = "6";
  return settings;
}

Fitted fit_linear(const Series& series, const Settings& settings, std::size_t threads = 1,
                  bool refit = false) {
  ThreadPool pool(threads);
  return fit(series, settings, refit, {}, pool);
}

std::vector<float> ridge_weights(const Fitted& fitted) {
  const auto own = fitted.ensemble.lead().parameters().weights();
  return {own.begin(), own.end()};
}

// Two waves: every value follows linearly from those before it.
Series two_waves() {
  Series series = testing::small_series(400, 2);
  for (std::size_t c = 0; c < series.channels.size(); ++c) {
    for (std::size_t row = 0; row < series.rows(); ++row) {
      const auto t = static_cast<double>(row);
      series.channels[c].values[row] =
          5.0 + std::sin(0.7 * t + static_cast<double>(c)) + 0.5 * std::sin(0.23 * t);
    }
  }
  return series;
}

TEST(Ridge, FindsALinearLaw) {
  const Fitted fitted = fit_linear(two_waves(), linear_settings());
  EXPECT_LT(fitted.result.best_validation, 1e-3);
  EXPECT_GT(fitted.naive_validation, 0.1);
  // Without noise the weakest strength is the best.
  EXPECT_EQ(fitted.result.best_epoch, fitted.result.history.size());
}

TEST(Ridge, StrengthsWeakenAndTheBestIsKept) {
  const Fitted fitted = fit_linear(testing::small_series(200), linear_settings());
  const std::vector<EpochRecord>& history = fitted.result.history;
  ASSERT_GT(history.size(), 2u);
  for (std::size_t i = 0; i < history.size(); ++i) {
    EXPECT_EQ(history[i].learning_rate, ridge_strength(history[i].epoch));
    EXPECT_GE(history[i].validation_mse, fitted.result.best_validation);
    // Less of a penalty fits the rows that it was solved for better.
    if (i > 0) {
      EXPECT_LT(history[i].training_loss, history[i - 1].training_loss);
    }
  }
  EXPECT_EQ(history[fitted.result.best_epoch - 1].validation_mse, fitted.result.best_validation);
}

// What is told as the error over the training rows is what the model has there.
TEST(Ridge, ItsTrainingErrorIsThatOfTheModel) {
  Settings settings = linear_settings();
  settings.training.epochs = 4;
  const Series series = testing::small_series(200);
  Fitted fitted = fit_linear(series, settings);
  const ScaledSeries scaled(series, fitted.scaler, fitted.plan.calendar);
  const Windows windows(scaled, 24, 6, fitted.trained, History::kInside);
  ThreadPool pool(1);
  const double measured = Validation(fitted.ensemble.lead(), windows, 32, pool).measure().mse;
  const double told = fitted.result.history[fitted.result.best_epoch - 1].training_loss;
  EXPECT_NEAR(measured, told, 1e-4 * told);
}

TEST(Ridge, TheSameBitsOnAnyNumberOfThreads) {
  const Series series = testing::small_series(300, 3);
  const std::vector<float> one = ridge_weights(fit_linear(series, linear_settings(), 1));
  EXPECT_EQ(one, ridge_weights(fit_linear(series, linear_settings(), 3)));
}

TEST(Ridge, ASecondTrainingHasTheStrengthThatValidatedBest) {
  const Series series = testing::small_series(200);
  const Fitted once = fit_linear(series, linear_settings());
  const Fitted again = fit_linear(series, linear_settings(), 1, true);
  EXPECT_TRUE(again.is_refit);
  EXPECT_EQ(again.result.best_epoch, once.result.best_epoch);
  EXPECT_NE(ridge_weights(again), ridge_weights(once));
}

TEST(Ridge, AConstantIsForecastAsItIs) {
  Series series = testing::small_series(200);
  for (Channel& channel : series.channels) std::ranges::fill(channel.values, 3.0);
  EXPECT_EQ(fit_linear(series, linear_settings()).result.best_validation, 0.0);
}

// Without its mean every history is the same one, so that nothing but rounding varies.
TEST(Ridge, AStraightLineIsNoFault) {
  Series series = testing::small_series(200);
  for (Channel& channel : series.channels) {
    for (std::size_t row = 0; row < series.rows(); ++row) {
      channel.values[row] = static_cast<double>(row);
    }
  }
  EXPECT_LT(fit_linear(series, linear_settings()).result.best_validation, 1e-6);
}

TEST(Ridge, WhatOnlyStepsKnowMakesItSteps) {
  Settings settings = linear_settings();
  EXPECT_EQ(complete(settings).training.solver, Solver::kRidge);
  settings.training.loss = LossKind::kAbsolute;
  EXPECT_EQ(complete(settings).training.solver, Solver::kGradients);
  settings.model.model = ModelKind::kPulse;
  settings.model.backbone = BackboneKind::kLinear;
  EXPECT_EQ(complete(settings).training.solver, Solver::kGradients);
  settings.training.solver = Solver::kRidge;
  try {
    fit_linear(testing::small_series(), settings);
    FAIL() << "PULSE has no closed form";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(
        error.message(),
        "PULSE with linear has no closed form: only linear and channel_linear alone have one");
  }
}

TEST(Ridge, CanBeStopped) {
  FitHooks hooks;
  hooks.watch.is_cancelled = [] { return true; };
  ThreadPool pool(1);
  try {
    fit(testing::small_series(), linear_settings(), false, hooks, pool);
    FAIL() << "it was stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
  }
}

}  // namespace
}  // namespace pulsecast::train
