#include "pulsecast/calibrate/conformal_head.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "pulsecast/base/arena.h"
#include "pulsecast/calibrate/testing.h"
#include "pulsecast/calibrate/window_ranges.h"

namespace pulsecast::calibrate {
namespace {

using testing::drawn_head;
using testing::made_sheet;
using testing::with_outlooks;

constexpr std::size_t kAhead = 5;
constexpr std::size_t kCycle = 6;

// Forecasts between -2 and 2, after which errors are as large as size(forecast).
double said_of(std::size_t c, std::size_t w, std::size_t h) {
  const random::Stream stream{.seed = 9, .purpose = random::Purpose::kTest};
  return 4.0 * random::uniform(stream, (c * 100000 + w) * kAhead + h) - 2.0;
}
ErrorSheet sheet_of(std::size_t windows, std::size_t channels, std::uint64_t seed) {
  const auto size = [](std::size_t c, std::size_t w, std::size_t h) {
    return said_of(c, w, h) > 0.0 ? 2.0 : 0.5;
  };
  const auto look = [](std::size_t, std::size_t w) {
    return LookBack{1.0f + static_cast<float>(w % 3), 1.0f, 0.0f};
  };
  return with_outlooks(made_sheet(windows, channels, kAhead, kCycle, seed, size, look), said_of);
}

Calibration with_drawn_head(const ErrorSheet& ranked, ThreadPool& pool) {
  Calibration ranges = calibrate({}, ranked, kCycle, false, pool);
  EXPECT_TRUE(add_head(drawn_head(ranked.channels, kAhead, kCycle),
                       usual_scores(ranked, ranges, pool), ranked, false, ranges, pool));
  return ranges;
}

double share_held(const Calibration& ranges, const ErrorSheet& sheet, double level) {
  const std::vector<double> levels = {level};
  const RangeRequest request(levels, {});
  WindowRanges made(ranges, request, nullptr);
  std::size_t inside = 0;
  for (std::size_t c = 0; c < sheet.channels; ++c) {
    for (std::size_t w = 0; w < sheet.windows; ++w) {
      made.make(c, sheet.outlook_of(c, w));
      for (std::size_t h = 0; h < kAhead; ++h) {
        const float error = sheet.errors_of(c, w)[h];
        inside += error >= made.distance(0, h) && error <= made.distance(1, h);
      }
    }
  }
  return static_cast<double>(inside) / static_cast<double>(sheet.errors.size());
}

// Whatever a head says, the ranks make its ranges hold what they promise: one of weights that were
// drawn and learnt nothing as well.
TEST(ConformalHead, HoldsWhatItPromisesHoweverWrongItIs) {
  ThreadPool pool(2);
  const Calibration ranges = with_drawn_head(sheet_of(3000, 2, 1), pool);
  const ErrorSheet fresh = sheet_of(3000, 2, 2);
  // Of 3000 scores a step's own coverage has a deviation of 0.007, and there are ten of them.
  EXPECT_NEAR(share_held(ranges, fresh, 80.0), 0.8, 0.015);
  EXPECT_NEAR(share_held(ranges, fresh, 95.0), 0.95, 0.01);
  const Calibration plain = calibrate({}, sheet_of(3000, 2, 1), kCycle, false, pool);
  EXPECT_NE(plain.quantiles(), ranges.quantiles()) << "the head must have something to say";
}

TEST(ConformalHead, QuantilesNeverCross) {
  ThreadPool pool(1);
  const ErrorSheet sheet = sheet_of(300, 1, 1);
  const Calibration ranges = with_drawn_head(sheet, pool);
  const RangeRequest request({}, kProbabilities);
  WindowRanges made(ranges, request, nullptr);
  for (std::size_t w = 0; w < sheet.windows; ++w) {
    made.make(0, sheet.outlook_of(0, w));
    for (std::size_t h = 0; h < kAhead; ++h) {
      for (std::size_t p = 1; p < request.size(); ++p) {
        ASSERT_LE(made.distance(p - 1, h), made.distance(p, h));
      }
    }
  }
}

TEST(ConformalHead, LeavesSetsWithFewScoresAsTheyWere) {
  ThreadPool pool(1);
  ErrorSheet sheet = sheet_of(400, 2, 1);
  for (std::size_t w = 0; w < 300; ++w) sheet.present[400 + w] = 0;
  const Calibration plain = calibrate({}, sheet, kCycle, false, pool);
  const Calibration ranges = with_drawn_head(sheet, pool);
  const std::size_t half = plain.quantiles().size() / 2;
  EXPECT_FALSE(std::equal(plain.quantiles().begin(),
                          plain.quantiles().begin() + static_cast<std::ptrdiff_t>(half),
                          ranges.quantiles().begin()));
  for (std::size_t i = half; i < plain.quantiles().size(); ++i) {
    if (std::isnan(plain.quantiles()[i])) continue;
    EXPECT_EQ(plain.quantiles()[i], ranges.quantiles()[i]);
  }
  for (std::size_t h = 0; h < kAhead; ++h) EXPECT_EQ(ranges.unit(1, h), 0.0f);

  Calibration few = calibrate({}, sheet_of(198, 1, 1), kCycle, false, pool);
  EXPECT_FALSE(add_head(drawn_head(1, kAhead, kCycle), std::vector<float>(kAhead, 1.0f),
                        sheet_of(198, 1, 1), false, few, pool));
  EXPECT_EQ(few.head(), nullptr);
}

TEST(ConformalHead, IsTheSameOnAnyNumberOfThreads) {
  ThreadPool one(1);
  ThreadPool three(3);
  const ErrorSheet sheet = sheet_of(250, 5, 1);
  EXPECT_EQ(with_drawn_head(sheet, one).quantiles(), with_drawn_head(sheet, three).quantiles());
}

// Units twice as large: everything on scaled data is half of what it was.
TEST(ConformalHead, FollowsTheScaleOfASecondTraining) {
  ThreadPool pool(1);
  const ErrorSheet sheet = sheet_of(300, 1, 1);
  const Calibration ranges = with_drawn_head(sheet, pool);
  Calibration anew = ranges;
  anew.rescale(0, 0.5);
  for (std::size_t h = 0; h < kAhead; ++h) EXPECT_EQ(anew.unit(0, h), 0.5f * ranges.unit(0, h));
}

// A miss is judged by the ranges that the window had, those of the head included.
TEST(ConformalHead, IsCorrectedByItsOwnMisses) {
  ThreadPool pool(1);
  const ErrorSheet sheet = sheet_of(300, 1, 1);
  const Calibration ranges = with_drawn_head(sheet, pool);
  const std::vector<double> quantiles = {0.5};
  const RangeRequest request({}, quantiles);
  WindowRanges made(ranges, request, nullptr);
  for (const float beside : {-0.01f, 0.01f}) {
    OnlineCorrection correction(ranges, request);
    for (std::size_t w = 0; w < 50; ++w) {
      made.look(0, sheet.outlook_of(0, w));
      std::vector<float> scores(kAhead);
      for (std::size_t h = 0; h < kAhead; ++h) {
        scores[h] = correction.score(0, h, 0) + made.shifts()[h] + beside;
      }
      correction.begin(w);
      correction.add(0, scores, made.shifts());
    }
    correction.advance(100);
    for (std::size_t h = 0; h < kAhead; ++h) EXPECT_EQ(correction.offset(0, h, 0) > 0, beside > 0);
  }
}

// Training runs layers of the tape, what is forecast a kernel of its own.
TEST(HeadReader, SaysWhatTheHeadSaysInTraining) {
  const std::shared_ptr<QuantileHead> head = drawn_head(3, kAhead, kCycle);
  const ErrorSheet sheet = sheet_of(20, 3, 1);
  HeadReader reader(*head);
  Arena arena;
  autodiff::BoundParameters weights(std::as_const(*head).parameters());
  for (std::uint32_t c = 0; c < 3; ++c) {
    const Outlook window = sheet.outlook_of(c, 7);
    std::vector<float> inputs(kAhead * QuantileHead::kInputs);
    head->read({}, window, 0, kAhead, {QuantileHead::kInputs, 1}, inputs.data());
    arena.reset();
    autodiff::Tape tape(arena, autodiff::Tape::Mode::kInference);
    const autodiff::Tensor said = head->forward(
        tape, weights, tape.constant(inputs.data(), {kAhead, QuantileHead::kInputs}), {&c, 1});
    const auto read = reader.shifts(c, {}, window, 0, kAhead);
    for (std::size_t h = 0; h < kAhead; ++h) {
      for (std::size_t q = 0; q < kGrid; ++q) {
        EXPECT_NEAR(read[q * kAhead + h], said.data[h * kGrid + q], 1e-5);
      }
    }
  }
}

TEST(HeadReader, SaysWhatTheHeadSaysAtEachProbabilityAndBetween) {
  const std::shared_ptr<QuantileHead> head = drawn_head(3, kAhead, kCycle);
  for (float& bias : head->output_bias()) bias = 0.25f;
  const ErrorSheet sheet = sheet_of(20, 3, 1);
  const std::vector<double> asked = {0.1, 0.35, 0.975};
  const RangeRequest request({}, asked);
  HeadReader all(*head);
  HeadReader some(*head, request);
  for (std::size_t w = 0; w < sheet.windows; ++w) {
    const Outlook window = sheet.outlook_of(2, w);
    const auto whole = all.shifts(2, {}, window, 0, kAhead);
    const std::vector<float> own(whole.begin(), whole.end());
    const auto part = some.shifts(2, {}, window, 0, kAhead);
    for (std::size_t h = 0; h < kAhead; ++h) {
      for (std::size_t p = 0; p < asked.size(); ++p) {
        const GridPlace place = grid_place(asked[p]);
        const float a = own[place.first * kAhead + h];
        const float b = own[(place.first + 1) * kAhead + h];
        EXPECT_NEAR(part[p * kAhead + h], a + static_cast<float>(place.share) * (b - a), 1e-5);
      }
    }
    // In two parts it is the same.
    const auto late = all.shifts(2, {}, window, 3, 2);
    for (std::size_t q = 0; q < kGrid; ++q) {
      for (std::size_t h = 0; h < 2; ++h) {
        EXPECT_NEAR(late[q * 2 + h], own[q * kAhead + 3 + h], 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace pulsecast::calibrate
