#include "pulsecast/calibrate/online_correction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/calibrate/gain_choice.h"
#include "pulsecast/calibrate/testing.h"
#include "pulsecast/calibrate/window_ranges.h"

namespace pulsecast::calibrate {
namespace {

constexpr std::size_t kSteps = 5;

LookBack calm(std::size_t, std::size_t) { return {1.0f, 1.0f}; }
double plain(std::size_t, std::size_t, std::size_t) { return 1.0; }

Calibration calibrated() {
  ThreadPool pool(1);
  return calibrate({}, testing::made_sheet(500, 1, kSteps, 1, 1, plain, calm), 1, false, pool);
}

const RangeRequest& request() {
  static const std::vector<double> levels = {80.0, 95.0};
  static const RangeRequest request(levels, {});
  return request;
}

// Scores of window w: three times as large as they were in calibration.
std::vector<float> scores_of(std::size_t w, double size, double late = 0.0) {
  const random::Stream stream{.seed = 77, .purpose = random::Purpose::kTest};
  std::vector<float> scores;
  for (std::size_t h = 0; h < kSteps; ++h) {
    scores.push_back(static_cast<float>(size * random::normal(stream, w * kSteps + h) +
                                        late * static_cast<double>(h)));
  }
  return scores;
}

TEST(OnlineCorrection, BringsCoverageBackAfterAChange) {
  const Calibration calibration = calibrated();
  OnlineCorrection correction(calibration, request());
  std::size_t inside = 0;
  std::size_t inside_as_calibrated = 0;
  std::size_t values = 0;
  for (std::size_t w = 0; w < 6000; ++w) {
    correction.begin(w);
    const std::vector<float> scores = scores_of(w, 3.0);
    if (w >= 3000) {
      for (std::size_t h = 0; h < kSteps; ++h) {
        const auto& level = request().levels()[0];
        inside += scores[h] >= correction.score(0, h, level.lower) &&
                  scores[h] <= correction.score(0, h, level.upper);
        inside_as_calibrated +=
            scores[h] >= calibration.score(0, h, request().place(level.lower)) &&
            scores[h] <= calibration.score(0, h, request().place(level.upper));
        ++values;
      }
    }
    correction.add(0, scores);
  }
  const auto share = [&](std::size_t count) {
    return static_cast<double>(count) / static_cast<double>(values);
  };
  EXPECT_LT(share(inside_as_calibrated), 0.4);
  EXPECT_NEAR(share(inside), 0.8, 0.03);
}

// What a step will turn out to be must not be seen before it has: two futures that differ from row
// `kRow` on give the same corrections up to there, and other ones after.
TEST(OnlineCorrection, SeesNothingOfTheFuture) {
  constexpr std::size_t kRow = 40;
  const Calibration calibration = calibrated();
  OnlineCorrection one(calibration, request());
  OnlineCorrection other(calibration, request());
  const auto offsets = [&](const OnlineCorrection& correction) {
    std::vector<float> all;
    for (std::size_t h = 0; h < kSteps; ++h) {
      for (std::size_t p = 0; p < request().size(); ++p) all.push_back(correction.offset(0, h, p));
    }
    return all;
  };
  bool have_parted = false;
  for (std::size_t w = 0; w < 2 * kRow; ++w) {
    one.begin(w);
    other.begin(w);
    if (w <= kRow) {
      EXPECT_EQ(offsets(one), offsets(other)) << "at row " << w;
    } else {
      have_parted = have_parted || offsets(one) != offsets(other);
    }
    std::vector<float> scores = scores_of(w, 1.0);
    one.add(0, scores);
    for (std::size_t h = 0; h < kSteps; ++h) {
      if (w + h >= kRow) scores[h] += 100.0f;
    }
    other.add(0, scores);
  }
  EXPECT_TRUE(have_parted) << "the change must be one that is noticed when it has come";
}

TEST(OnlineCorrection, LeavesChannelsThatAreNotThere) {
  const Calibration calibration = calibrated();
  OnlineCorrection correction(calibration, request());
  const std::vector<float> none(kSteps, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t w = 0; w < 20; ++w) {
    correction.begin(w);
    correction.add(0, none);
  }
  for (std::size_t p = 0; p < request().size(); ++p) EXPECT_EQ(correction.offset(0, 0, p), 0.0f);
}

// Scores as of rain: most lie in one place, a little to either side of it, and bursts far out.
// There quantiles cross. What is asked for beside a range must not move it.
TEST(OnlineCorrection, AQuantileIsMovedByItsOwnMissesAlone) {
  const random::Stream stream{.seed = 5, .purpose = random::Purpose::kTest};
  const auto rain = [&](std::size_t w) {
    std::vector<float> scores;
    const bool is_wet = w % 200 < 60;
    for (std::size_t h = 0; h < kSteps; ++h) {
      const double drawn = random::normal(stream, w * kSteps + h);
      const double dry = 0.01 * std::sin(static_cast<double>(w) / 60.0);
      scores.push_back(static_cast<float>(is_wet ? 4.0 * drawn : dry + 0.001 * drawn));
    }
    return scores;
  };
  ErrorSheet sheet = testing::made_sheet(1000, 1, kSteps, 1, 1, plain, calm);
  for (std::size_t w = 0; w < sheet.windows; ++w) {
    const std::vector<float> scores = rain(w);
    std::ranges::copy(scores, sheet.errors.begin() + static_cast<std::ptrdiff_t>(w * kSteps));
  }
  ThreadPool pool(1);
  const Calibration calibration = calibrate({}, sheet, 1, false, pool);
  const std::vector<double> levels = {80.0};
  const std::vector<double> tenths = {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
  const RangeRequest range(levels, {});
  const RangeRequest more(levels, tenths);
  OnlineCorrection alone(calibration, range);
  OnlineCorrection among(calibration, more);
  for (std::size_t w = 0; w < 3000; ++w) {
    const std::vector<float> scores = rain(5000 + w);
    for (OnlineCorrection* correction : {&alone, &among}) {
      correction->begin(w);
      correction->add(0, scores);
    }
  }
  for (std::size_t h = 0; h < kSteps; ++h) {
    EXPECT_EQ(alone.offset(0, h, 0), among.offset(0, h, 0)) << h;
    EXPECT_EQ(alone.offset(0, h, 1), among.offset(0, h, more.size() - 1)) << h;
  }
}

TEST(OnlineCorrection, RangesDoNotCrossWhateverCame) {
  const Calibration calibration = calibrated();
  OnlineCorrection correction(calibration, request());
  for (std::size_t w = 0; w < 400; ++w) {
    correction.begin(w);
    correction.add(0, scores_of(w, 0.0, w % 2 == 0 ? 9.0 : -9.0));
  }
  WindowRanges ranges(calibration, request(), &correction);
  const std::vector<std::int32_t> phases(kSteps, 0);
  ranges.make(0, {{1.0f, 1.0f}, phases, {}, {}});
  for (std::size_t h = 0; h < kSteps; ++h) {
    for (std::size_t p = 1; p < request().size(); ++p) {
      EXPECT_LE(ranges.distance(p - 1, h), ranges.distance(p, h));
    }
  }
}

// Misses that come in bursts and pass, now above and now below, are better not followed; errors
// that wander are.
TEST(GainChoice, IsSmallForBurstsAndLargeForWandering) {
  ThreadPool pool(1);
  const auto deviation = [](std::size_t c, std::size_t w, std::size_t) {
    if (c == 0) return 0.02;
    return std::exp(1.5 * std::sin(static_cast<double>(w) / 400.0));
  };
  const auto sheet_of = [&](std::size_t windows, std::uint64_t seed) {
    ErrorSheet sheet = testing::made_sheet(windows, 2, kSteps, 1, seed, deviation, calm);
    for (std::size_t w = 0; w < windows; ++w) {
      if (w % 60 >= 21) continue;
      for (std::size_t h = 0; h < kSteps; ++h) {
        sheet.errors[w * kSteps + h] += w / 60 % 2 == 0 ? -6.0f : 6.0f;
      }
    }
    return sheet;
  };
  const ErrorSheet older = sheet_of(1000, 1);
  const ErrorSheet newer = sheet_of(2500, 2);
  Calibration calibration = calibrate({}, newer, 1, false, pool);
  choose_gains(older, newer, 1, calibration, pool);
  EXPECT_LE(calibration.sets()[0].gain, 0.5);
  EXPECT_EQ(calibration.sets()[1].gain, 1.0);
}

}  // namespace
}  // namespace pulsecast::calibrate
