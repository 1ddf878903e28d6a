#include "pulsecast/calibrate/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "pulsecast/base/error.h"
#include "pulsecast/calibrate/testing.h"
#include "pulsecast/calibrate/window_ranges.h"

namespace pulsecast::calibrate {
namespace {

using testing::made_sheet;
using testing::normal_share;

constexpr std::size_t kHorizon = 4;
constexpr std::size_t kPeriod = 6;
constexpr LookBack kCalm{1.0f, 1.0f};

double plain_deviation(std::size_t, std::size_t, std::size_t) { return 1.0; }
LookBack plain_look(std::size_t, std::size_t) { return kCalm; }

ErrorSheet plain_sheet(std::size_t windows, std::size_t channels, std::uint64_t seed) {
  return made_sheet(windows, channels, kHorizon, kPeriod, seed, plain_deviation, plain_look);
}

// How much a range of the step holds of what comes, by the law itself.
double held(const Calibration& calibration, std::size_t set, std::size_t step, double level,
            double deviation, std::int32_t phase, const LookBack& look) {
  const std::vector<double> levels = {level};
  const RangeRequest request(levels, {});
  WindowRanges ranges(calibration, request, nullptr);
  std::vector<std::int32_t> phases(kHorizon, phase);
  ranges.make(set, {look, phases, {}, {}});
  return normal_share(double{ranges.distance(1, step)} / deviation) -
         normal_share(double{ranges.distance(0, step)} / deviation);
}

// Over many pasts the mean coverage of the exact ranks is k/(n+1) for each side, so that their
// range is told to the last digit; a rule without the "+ 1" would miss it.
TEST(Calibration, HoldsWhatItPromisesOverManyPasts) {
  ThreadPool pool(1);
  constexpr std::size_t kPasts = 400;
  for (const std::size_t windows : {39u, 79u}) {
    double sum = 0.0;
    for (std::size_t past = 0; past < kPasts; ++past) {
      const Calibration calibration =
          calibrate({}, plain_sheet(windows, 1, past + 1), kPeriod, false, pool);
      for (std::size_t h = 0; h < kHorizon; ++h) {
        sum += held(calibration, 0, h, 95.0, 1.0, 0, kCalm);
      }
    }
    // One past's coverage has a deviation below 0.035.
    const double mean = sum / static_cast<double>(kPasts * kHorizon);
    EXPECT_NEAR(mean, 0.95, 4.0 * 0.035 / std::sqrt(static_cast<double>(kPasts * kHorizon)))
        << windows;
  }
}

TEST(Calibration, QuantilesAreNearTheTrueOnes) {
  ThreadPool pool(1);
  const Calibration calibration = calibrate({}, plain_sheet(4000, 1, 5), kPeriod, false, pool);
  const double truth[] = {-1.959964, -1.281552, 0.0, 1.281552, 1.959964};
  const double probabilities[] = {0.025, 0.1, 0.5, 0.9, 0.975};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(calibration.score(0, 1, grid_place(probabilities[i])), truth[i], 0.1);
  }
}

// On draws that calibration has not seen: the share inside lies within the binomial range of so
// many for the range's own coverage of the law, and the loss is near that of the law's own
// quantiles.
TEST(Calibration, LosesLittleBesideTheTrueQuantiles) {
  ThreadPool pool(1);
  const Calibration calibration = calibrate({}, plain_sheet(1000, 1, 5), kPeriod, false, pool);
  const ErrorSheet fresh = plain_sheet(5000, 1, 6);
  const std::vector<std::pair<double, double>> truth = {
      {0.025, -1.959964}, {0.1, -1.281552}, {0.5, 0.0}, {0.9, 1.281552}, {0.975, 1.959964}};
  const auto loss = [](double probability, double quantile, double value) {
    return value > quantile ? probability * (value - quantile)
                            : (1.0 - probability) * (quantile - value);
  };
  for (const auto& [probability, quantile] : truth) {
    double own = 0.0;
    double best = 0.0;
    for (std::size_t w = 0; w < fresh.windows; ++w) {
      const double value = fresh.errors_of(0, w)[2];
      own += loss(probability, calibration.score(0, 2, grid_place(probability)), value);
      best += loss(probability, quantile, value);
    }
    EXPECT_LT(own / best, 1.05) << probability;
  }
  const double promised = held(calibration, 0, 2, 80.0, 1.0, 0, kCalm);
  std::size_t inside = 0;
  for (std::size_t w = 0; w < fresh.windows; ++w) {
    const float value = fresh.errors_of(0, w)[2];
    inside += value >= calibration.score(0, 2, grid_place(0.1)) &&
              value <= calibration.score(0, 2, grid_place(0.9));
  }
  const auto n = static_cast<double>(fresh.windows);
  EXPECT_NEAR(static_cast<double>(inside) / n, promised,
              4.0 * std::sqrt(promised * (1.0 - promised) / n));
  // Of a thousand scores the range's own coverage is beta distributed, with a deviation of 0.013.
  EXPECT_NEAR(promised, 0.8, 0.05);
}

// The hour and the look-back of a law that depends on both are found, and each hour's own range
// holds what is promised: without a scale the loud hours would hold 60 percent and the calm all.
TEST(Calibration, ScalesFollowHourAndLookBack) {
  ThreadPool pool(1);
  const auto deviation = [](std::size_t, std::size_t w, std::size_t h) {
    return ((w + h) % kPeriod == 0 ? 4.0 : 1.0) * (w % 7 == 0 ? 3.0 : 1.0);
  };
  const auto look = [](std::size_t, std::size_t w) {
    return w % 7 == 0 ? LookBack{3.0f, 3.0f} : LookBack{1.0f, 1.0f};
  };
  const auto sheet = [&](std::uint64_t seed) {
    return made_sheet(3000, 2, kHorizon, kPeriod, seed, deviation, look);
  };
  const Calibration calibration = calibrate(sheet(1), sheet(2), kPeriod, false, pool);
  for (const std::int32_t phase : {0, 3}) {
    for (const bool is_loud : {false, true}) {
      const double size = (phase == 0 ? 4.0 : 1.0) * (is_loud ? 3.0 : 1.0);
      const LookBack seen = is_loud ? LookBack{3.0f, 3.0f} : LookBack{1.0f, 1.0f};
      EXPECT_NEAR(held(calibration, 1, 2, 80.0, size, phase, seen), 0.8, 0.06)
          << phase << " " << is_loud;
    }
  }
}

TEST(Calibration, ChannelsWithFewScoresPoolWithTheirLike) {
  ThreadPool pool(1);
  // Ten channels of twenty scores and of sizes that lie far apart: too few alone for 95 percent.
  const auto deviation = [](std::size_t c, std::size_t, std::size_t) {
    return std::pow(10.0, static_cast<double>(c) / 3.0);
  };
  const ErrorSheet sheet = made_sheet(20, 10, kHorizon, kPeriod, 3, deviation, plain_look);
  const Calibration calibration = calibrate({}, sheet, kPeriod, false, pool);
  const std::vector<double> asked = {0.025, 0.975};
  EXPECT_NO_THROW(calibration.require(asked, "m"));
  double sum = 0.0;
  for (std::size_t c = 0; c < 10; ++c) {
    for (std::size_t h = 0; h < kHorizon; ++h) {
      sum += held(calibration, c, h, 95.0, deviation(c, 0, 0), 0, kCalm);
    }
  }
  EXPECT_NEAR(sum / 40.0, 0.95, 0.03);
}

TEST(Calibration, RefusesWithWhatWouldDo) {
  ThreadPool pool(1);
  const Calibration calibration = calibrate({}, plain_sheet(12, 1, 3), kPeriod, false, pool);
  const std::vector<double> narrow = {0.1, 0.9};
  EXPECT_NO_THROW(calibration.require(narrow, "m"));
  const std::vector<double> wide = {0.025, 0.975};
  try {
    calibration.require(wide, "m");
    FAIL() << "12 scores are too few for 95 percent";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("39 scores"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("27 windows more"), std::string::npos) << error.what();
  }
}

TEST(Calibration, OfAPanelGroupsWindowsByHowRestlessTheyAre) {
  ThreadPool pool(1);
  const auto deviation = [](std::size_t, std::size_t w, std::size_t) {
    return w % 3 == 0 ? 5.0 : 1.0;
  };
  const auto look = [](std::size_t, std::size_t w) {
    return LookBack{w % 3 == 0 ? 2.0f : 1.0f + 0.001f * static_cast<float>(w % 10), 1.0f};
  };
  const ErrorSheet sheet = made_sheet(3000, 1, kHorizon, kPeriod, 3, deviation, look);
  const Calibration calibration = calibrate({}, sheet, kPeriod, true, pool);
  ASSERT_EQ(calibration.sets().size(), 3u);
  const std::size_t restless = calibration.set_of(7, true, {2.0f, 1.0f});
  const std::size_t calm = calibration.set_of(7, true, {0.1f, 1.0f});
  EXPECT_EQ(restless, 2u);
  EXPECT_EQ(calm, 0u);
  EXPECT_NEAR(held(calibration, restless, 0, 80.0, 5.0, 0, {2.0f, 1.0f}), 0.8, 0.06);
  EXPECT_NEAR(held(calibration, calm, 0, 80.0, 1.0, 0, {1.0f, 1.0f}), 0.8, 0.06);
}

TEST(Calibration, QuantilesNeverCross) {
  ThreadPool pool(1);
  const Calibration calibration = calibrate({}, plain_sheet(15, 6, 9), kPeriod, false, pool);
  for (std::size_t c = 0; c < 6; ++c) {
    for (std::size_t h = 0; h < kHorizon; ++h) {
      float last = -std::numeric_limits<float>::infinity();
      for (const double probability : kProbabilities) {
        const float score = calibration.score(c, h, grid_place(probability));
        if (std::isnan(score)) continue;
        EXPECT_GE(score, last);
        last = score;
      }
    }
  }
}

TEST(Calibration, IsTheSameOnAnyNumberOfThreads) {
  ThreadPool one(1);
  ThreadPool three(3);
  const ErrorSheet learnt = plain_sheet(200, 5, 1);
  const ErrorSheet ranked = plain_sheet(200, 5, 2);
  EXPECT_EQ(calibrate(learnt, ranked, kPeriod, false, one).quantiles(),
            calibrate(learnt, ranked, kPeriod, false, three).quantiles());
}

TEST(Calibration, FollowsTheScaleOfASecondTraining) {
  ThreadPool pool(1);
  const auto look = [](std::size_t, std::size_t w) {
    return LookBack{1.0f + static_cast<float>(w % 5), 1.0f};
  };
  const auto deviation = [&](std::size_t, std::size_t w, std::size_t) {
    return 1.0 + static_cast<double>(w % 5);
  };
  const ErrorSheet sheet = made_sheet(500, 1, kHorizon, kPeriod, 4, deviation, look);
  const Calibration old = calibrate(sheet, sheet, kPeriod, false, pool);
  Calibration anew = old;
  // Units twice as large: everything on scaled data is half of what it was.
  anew.rescale(0, 0.5);
  const std::vector<double> levels = {80.0};
  const RangeRequest request(levels, {});
  WindowRanges before(old, request, nullptr);
  WindowRanges after(anew, request, nullptr);
  const std::vector<std::int32_t> phases(kHorizon, 0);
  before.make(0, {{3.0f, 1.0f}, phases, {}, {}});
  after.make(0, {{1.5f, 0.5f}, phases, {}, {}});
  EXPECT_NEAR(after.distance(1, 0), 0.5 * before.distance(1, 0), 1e-5);
}

}  // namespace
}  // namespace pulsecast::calibrate
