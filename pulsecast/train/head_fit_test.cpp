#include "pulsecast/train/head_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/calibrate/conformal_head.h"
#include "pulsecast/calibrate/testing.h"
#include "pulsecast/calibrate/window_ranges.h"
#include "pulsecast/train/interval_choice.h"

namespace pulsecast::train {
namespace {

using calibrate::Calibration;
using calibrate::ErrorSheet;

constexpr std::size_t kSteps = 4;
constexpr std::size_t kPeriod = 6;

// Errors of the last channel are as large as the forecast is high; those of others are all alike.
double said(std::size_t c, std::size_t w, std::size_t h) {
  const random::Stream stream{.seed = 9, .purpose = random::Purpose::kTest};
  return 3.0 * random::uniform(stream, (c * 100000 + w) * kSteps + h);
}
double size_of(double forecast) { return 0.3 + forecast; }

ErrorSheet telling_sheet(std::size_t windows, std::uint64_t seed) {
  const auto deviation = [](std::size_t c, std::size_t w, std::size_t h) {
    return c == 1 ? size_of(said(c, w, h)) : 1.0;
  };
  const auto look = [](std::size_t, std::size_t) { return calibrate::LookBack{1.0f, 1.0f, 0.0f}; };
  return calibrate::testing::with_outlooks(
      calibrate::testing::made_sheet(windows, 2, kSteps, kPeriod, seed, deviation, look), said);
}

struct Fit {
  Calibration plain;
  Calibration ranges;
};

Fit fitted(ThreadPool& pool) {
  const ErrorSheet learnt = telling_sheet(1000, 2);
  const ErrorSheet ranked = telling_sheet(1500, 3);
  Fit fit;
  fit.plain = calibrate::calibrate(learnt, ranked, kPeriod, false, pool);
  fit.ranges = fit.plain;
  const auto head = fit_head(telling_sheet(8000, 1), fit.plain, kPeriod, 7, pool, {});
  calibrate::add_head(head, calibrate::usual_scores(learnt, fit.plain, pool), ranked, false,
                      fit.ranges, pool);
  return fit;
}

const Fit& fit_once() {
  static ThreadPool pool(2);
  static const Fit fit = fitted(pool);
  return fit;
}

double pinball(double p, double quantile, double value) {
  return value > quantile ? p * (value - quantile) : (1.0 - p) * (quantile - value);
}

// On errors of a known law, quantile losses are within 5 percent of those of the law's own
// quantiles, and without a head they are not.
TEST(HeadFit, LosesLittleBesideTheTrueQuantiles) {
  const ErrorSheet fresh = telling_sheet(4000, 4);
  for (const auto& [p, normal] : std::vector<std::pair<double, double>>{
           {0.025, -1.959964}, {0.1, -1.281552}, {0.5, 0.0}, {0.9, 1.281552}, {0.975, 1.959964}}) {
    const std::vector<double> asked = {p};
    const calibrate::RangeRequest request({}, asked);
    calibrate::WindowRanges with_head(fit_once().ranges, request, nullptr);
    calibrate::WindowRanges without(fit_once().plain, request, nullptr);
    double own = 0.0;
    double plain = 0.0;
    double best = 0.0;
    for (std::size_t w = 0; w < fresh.windows; ++w) {
      with_head.make(1, fresh.outlook_of(1, w));
      without.make(1, fresh.outlook_of(1, w));
      for (std::size_t h = 0; h < kSteps; ++h) {
        const double error = fresh.errors_of(1, w)[h];
        own += pinball(p, double{with_head.distance(0, h)}, error);
        plain += pinball(p, double{without.distance(0, h)}, error);
        best += pinball(p, normal * size_of(said(1, w, h)), error);
      }
    }
    EXPECT_LT(own / best, 1.05) << p;
    if (p == 0.5) continue;
    EXPECT_GT(plain / best, 1.07) << p;
  }
}

// What is promised over all windows is held over calm ones and over restless ones, and in the
// channel where there is nothing to learn.
TEST(HeadFit, HoldsTheSameWhereErrorsAreLargeAndWhereTheyAreSmall) {
  const ErrorSheet fresh = telling_sheet(4000, 5);
  const std::vector<double> levels = {80.0};
  const calibrate::RangeRequest request(levels, {});
  calibrate::WindowRanges made(fit_once().ranges, request, nullptr);
  std::size_t inside[2][2] = {};
  std::size_t values[2][2] = {};
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t w = 0; w < fresh.windows; ++w) {
      made.make(c, fresh.outlook_of(c, w));
      for (std::size_t h = 0; h < kSteps; ++h) {
        const std::size_t is_high = said(c, w, h) > 1.5;
        const float error = fresh.errors_of(c, w)[h];
        inside[c][is_high] += error >= made.distance(0, h) && error <= made.distance(1, h);
        ++values[c][is_high];
      }
    }
  }
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t is_high = 0; is_high < 2; ++is_high) {
      EXPECT_NEAR(static_cast<double>(inside[c][is_high]) / static_cast<double>(values[c][is_high]),
                  0.8, 0.03)
          << c << is_high;
    }
  }
}

TEST(HeadFit, TheSameBitsOnAnyNumberOfThreads) {
  ThreadPool one(1);
  ThreadPool three(3);
  const ErrorSheet sheet = telling_sheet(300, 1);
  const Calibration ranges = calibrate::calibrate({}, sheet, kPeriod, false, one);
  const auto a = fit_head(sheet, ranges, kPeriod, 7, one, {});
  const auto b = fit_head(sheet, ranges, kPeriod, 7, three, {});
  EXPECT_TRUE(std::ranges::equal(a->parameters().weights(), b->parameters().weights()));
  const auto other = fit_head(sheet, ranges, kPeriod, 8, one, {});
  EXPECT_FALSE(std::ranges::equal(a->parameters().weights(), other->parameters().weights()));
}

// What it says is 0 on average over what it learnt from, so that the quantiles beside it are those
// of a usual window.
TEST(HeadFit, SaysNothingOnAverage) {
  const Calibration& ranges = fit_once().ranges;
  const ErrorSheet sheet = telling_sheet(2000, 6);
  calibrate::HeadReader reader(*ranges.head());
  std::vector<double> sums(calibrate::kGrid, 0.0);
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t w = 0; w < sheet.windows; ++w) {
      const auto shifts =
          reader.shifts(c, ranges.sets()[c].scale, sheet.outlook_of(c, w), 0, kSteps);
      for (std::size_t i = 0; i < shifts.size(); ++i) {
        sums[i / kSteps] += double{shifts[i]};
      }
    }
  }
  for (const double sum : sums) EXPECT_NEAR(sum / (2.0 * 2000 * kSteps), 0.0, 0.05);
}

TEST(HeadFit, ASheetWithoutAWindowHasNone) {
  ThreadPool pool(1);
  ErrorSheet sheet = telling_sheet(300, 1);
  const Calibration ranges = calibrate::calibrate({}, sheet, kPeriod, false, pool);
  std::ranges::fill(sheet.present, std::uint8_t{0});
  EXPECT_EQ(fit_head(sheet, ranges, kPeriod, 7, pool, {}), nullptr);
}

TEST(IntervalChoice, IsTheHeadWhereWindowsTellAndNotWhereItTellsWrong) {
  ThreadPool pool(2);
  const ErrorSheet learnt = telling_sheet(1000, 2);
  const Calibration& plain = fit_once().plain;
  const auto head = fit_head(telling_sheet(8000, 1), plain, kPeriod, 7, pool, {});
  const auto good = try_head(learnt, plain, false, *head, HeadWanted::kIfBetter, pool);
  ASSERT_TRUE(good.has_value());
  EXPECT_GE(good->share, 0.75) << "errors are of one law: the head is right";
  EXPECT_LT(good->quantile, good->residual);
  const auto wrong = calibrate::testing::drawn_head(2, kSteps, kPeriod, 3.0f);
  const auto bad = try_head(learnt, plain, false, *wrong, HeadWanted::kIfBetter, pool);
  EXPECT_EQ(bad->share, 0.0);
  EXPECT_GT(bad->quantile, bad->residual);
  EXPECT_EQ(bad->residual, good->residual);
  // Told, there is some of it whatever it says.
  EXPECT_EQ(try_head(learnt, plain, false, *wrong, HeadWanted::kTold, pool)->share, 0.25);
}

// A head that exaggerates is better followed in part.
TEST(IntervalChoice, TakesAShareOfAHeadThatIsTooBold) {
  ThreadPool pool(2);
  const ErrorSheet learnt = telling_sheet(1000, 2);
  const Calibration& plain = fit_once().plain;
  const auto head = fit_head(telling_sheet(8000, 1), plain, kPeriod, 7, pool, {});
  auto bold = std::make_shared<calibrate::QuantileHead>(2, kSteps, kPeriod);
  std::ranges::copy(head->parameters().weights(), bold->parameters().weights().begin());
  const std::size_t outputs = calibrate::kGrid * (calibrate::QuantileHead::kHidden + 1);
  for (float& weight : bold->parameters().weights().last(outputs)) weight *= 2.0f;
  const auto trial = try_head(learnt, plain, false, *bold, HeadWanted::kIfBetter, pool);
  EXPECT_GE(trial->share, 0.25);
  EXPECT_LE(trial->share, 0.5);
  ThreadPool one(1);
  EXPECT_EQ(try_head(learnt, plain, false, *bold, HeadWanted::kIfBetter, one)->quantile,
            trial->quantile);
}

TEST(IntervalChoice, IsNoneWhereHalvesHaveTooFewWindows) {
  ThreadPool pool(1);
  const auto head = calibrate::testing::drawn_head(2, kSteps, kPeriod);
  EXPECT_FALSE(
      try_head(telling_sheet(60, 2), fit_once().plain, false, *head, HeadWanted::kIfBetter, pool)
          .has_value());
}

}  // namespace
}  // namespace pulsecast::train
