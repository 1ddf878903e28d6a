#include "pulsecast/model/backbone_context.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "pulsecast/model/testing.h"

namespace pulsecast::model {
namespace {

using autodiff::Tape;
using autodiff::Tensor;

constexpr std::size_t kSamples = 9, kKnown = 1;

class Context : public ::testing::Test {
 protected:
  ModelShape shape_ = testing::small_shape();
  Arena arena_;
  Batch batch_ = testing::noise_batch(shape_, kSamples, kKnown, 4, arena_);
  Tape tape_{arena_, Tape::Mode::kTraining};
};

// Features come first and known columns after them, each a row of steps.
TEST_F(Context, MarksAreThoseOfTheSamplesCalendar) {
  const std::uint32_t samples[] = {7, 0, 7};
  const BackboneContext context{.batch = &batch_, .samples = samples};
  const auto check = [&](const Tensor& marks, const Calendars& calendars,
                         std::span<const float> known, std::size_t steps) {
    ASSERT_EQ(marks.shape, (autodiff::Shape{3, 2, steps}));
    for (std::size_t i = 0; i < 3; ++i) {
      const auto own = static_cast<std::size_t>(calendars.of_sample[samples[i]]);
      for (std::size_t t = 0; t < steps; ++t) {
        EXPECT_EQ(marks.data[i * 2 * steps + t], calendars.features[own * steps + t]);
        EXPECT_EQ(marks.data[(i * 2 + 1) * steps + t], known[samples[i] * steps + t]);
      }
    }
  };
  check(context.history_marks(tape_), batch_.history_calendars, batch_.known_history,
        shape_.lookback);
  check(context.future_marks(tape_), batch_.future_calendars, batch_.known_future, shape_.horizon);
}

TEST_F(Context, PhasesAreThoseOfEveryStep) {
  const std::uint32_t samples[] = {3, 8};
  const BackboneContext context{.batch = &batch_, .samples = samples};
  const std::uint32_t* history = context.history_phases(tape_);
  const std::uint32_t* future = context.future_phases(tape_);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t t = 0; t < shape_.lookback; ++t) {
      EXPECT_EQ(history[i * shape_.lookback + t], (samples[i] + t) % shape_.period);
    }
    for (std::size_t t = 0; t < shape_.horizon; ++t) {
      EXPECT_EQ(future[i * shape_.horizon + t], (samples[i] + shape_.lookback + t) % shape_.period);
    }
  }
}

// Rows of the columns of the past: each by its own mean and deviation, those of the samples that
// are asked for, and mixed in the two ways in which histories are.
TEST_F(Context, PastRowsAreNormalisedAndMixedAsHistoriesAre) {
  constexpr std::size_t kPast = 2;
  shape_.past = kPast;
  Arena arena;
  const Batch batch = testing::noise_batch(shape_, kSamples, kKnown, 4, arena);
  const std::size_t T = shape_.lookback;
  const std::uint32_t samples[] = {7, 0}, partners[] = {2, 5};
  const auto values = [&](std::uint32_t sample, std::size_t p) {
    const float* row = batch.past_history.data() + (sample * kPast + p) * T;
    return std::vector<double>(row, row + T);
  };
  const auto normal = [&](std::vector<double> row) {
    const double mean = std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(T);
    double squares = 0.0;
    for (double& value : row) {
      value -= mean;
      squares += value * value;
    }
    const double deviation = std::sqrt(squares / static_cast<double>(T - 1) + 1e-5);
    for (double& value : row) value /= deviation;
    return row;
  };
  constexpr double kWeight = 0.3;
  const auto mixed = [&](const std::vector<double>& one, const std::vector<double>& other) {
    std::vector<double> sum(T);
    for (std::size_t t = 0; t < T; ++t) sum[t] = kWeight * one[t] + (1.0 - kWeight) * other[t];
    return sum;
  };
  BackboneContext context{.batch = &batch, .samples = samples, .partners = partners};
  context.weight = static_cast<float>(kWeight);
  for (const Mixup mixup : {Mixup::kNone, Mixup::kPlain, Mixup::kStatisticAware}) {
    context.mixup = mixup;
    const Tensor rows = context.past_rows(tape_, Normalisation::kUnbiased);
    ASSERT_EQ(rows.shape, (autodiff::Shape{2, kPast, T}));
    EXPECT_FALSE(rows.wants_gradient());
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t p = 0; p < kPast; ++p) {
        const std::vector<double> own = values(samples[i], p), other = values(partners[i], p);
        const std::vector<double> expected = mixup == Mixup::kNone ? normal(own)
                                             : mixup == Mixup::kPlain
                                                 ? normal(mixed(own, other))
                                                 : mixed(normal(own), normal(other));
        for (std::size_t t = 0; t < T; ++t) {
          EXPECT_NEAR(rows.data[(i * kPast + p) * T + t], expected[t], 1e-5);
        }
      }
    }
  }
}

// Masks of samples [first, first + count), with three rows of five values per sample.
std::vector<float> masks(Tape& tape, std::size_t first, std::size_t count, std::uint64_t place) {
  std::vector<std::uint32_t> samples(count);
  std::iota(samples.begin(), samples.end(), static_cast<std::uint32_t>(first));
  const BackboneContext context{.samples = samples,
                                .dropout = {.seed = 3, .epoch = 1, .step = 2},
                                .first_sample = first,
                                .is_training = true};
  const std::vector<float> ones(count * 15, 1.0f);
  const Tensor y = context.drop(tape, tape.constant(ones.data(), {count * 3, 5}), 0.5f, place);
  return {y.data, y.data + y.count()};
}

TEST_F(Context, DropoutDoesNotDependOnWhereTheBatchIsCut) {
  const std::vector<float> whole = masks(tape_, 0, 8, 1);
  std::vector<float> parts = masks(tape_, 0, 5, 1);
  for (const float value : masks(tape_, 5, 3, 1)) parts.push_back(value);
  EXPECT_EQ(parts, whole);
  EXPECT_NE(masks(tape_, 0, 8, 2), whole) << "each place draws its own";
}

TEST_F(Context, AttentionDropoutCountsRowsOfTheBatch) {
  const std::uint32_t samples[] = {4, 5};
  BackboneContext context{.batch = &batch_, .samples = samples, .first_sample = 4};
  EXPECT_EQ(context.attention_dropout(6, 0.1f, 1).rate, 0.0f) << "inference drops nothing";
  context.is_training = true;
  const auto one = context.attention_dropout(6, 0.1f, 1);
  const auto two = context.attention_dropout(6, 0.1f, 2);
  EXPECT_EQ(one.rate, 0.1f);
  EXPECT_EQ(one.stream.purpose, random::Purpose::kAttentionDropout);
  context.first_sample = 0;
  EXPECT_EQ(one.first_row - context.attention_dropout(6, 0.1f, 1).first_row, 12u);
  EXPECT_GT(two.first_row - one.first_row, std::uint64_t{1} << 20);
}

TEST_F(Context, InferenceDropsNothing) {
  const std::uint32_t samples[] = {0};
  const BackboneContext context{.batch = &batch_, .samples = samples};
  const float one = 1.0f;
  const Tensor x = tape_.constant(&one, {1, 1});
  EXPECT_EQ(context.drop(tape_, x, 0.5f, 1).data, x.data);
}

}  // namespace
}  // namespace pulsecast::model
