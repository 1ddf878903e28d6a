#include "pulsecast/model/inference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/model/testing.h"
#include "pulsecast/testing/allocation_count.h"

namespace pulsecast::model {
namespace {

// The samples of a batch that are listed, in that order; calendars are gathered anew.
Batch pick(const Batch& from, const std::vector<std::size_t>& samples, Arena& arena) {
  BatchShape shape = from.shape;
  shape.samples = samples.size();
  Batch to = allocate_batch(shape, arena);
  const auto copy = [&](auto source, auto target) {
    const std::size_t each = target.size() / samples.size();
    for (std::size_t i = 0; i < samples.size(); ++i) {
      std::copy_n(source.data() + samples[i] * each, each, target.data() + i * each);
    }
  };
  copy(from.history, to.history);
  copy(from.known_history, to.known_history);
  copy(from.known_future, to.known_future);
  copy(from.past_history, to.past_history);
  copy(from.history_phase, to.history_phase);
  copy(from.future_phase, to.future_phase);
  const auto calendars = [&](const Calendars& source, std::size_t steps, Calendars& target) {
    const std::size_t each = steps * shape.features;
    target.distinct = samples.size();
    for (std::size_t i = 0; i < samples.size(); ++i) {
      target.of_sample[i] = static_cast<std::int32_t>(i);
      const auto own = static_cast<std::size_t>(source.of_sample[samples[i]]);
      std::copy_n(source.features.data() + own * each, each, target.features.data() + i * each);
    }
  };
  calendars(from.history_calendars, shape.lookback, to.history_calendars);
  calendars(from.future_calendars, shape.horizon, to.future_calendars);
  return to;
}

std::vector<float> forecast(Pulse& pulse, const Batch& batch, std::size_t threads = 2) {
  ThreadPool pool(threads);
  Arena arena;
  Forecast out = allocate_forecast(batch.shape, arena);
  Inference(pulse, pool).forecast(batch, out);
  return {out.values.begin(), out.values.end()};
}

void expect_batch_mates_do_not_matter(const ModelShape& shape, std::size_t known) {
  Pulse pulse(shape);
  pulse.initialise(3);
  Arena arena;
  // More than two shards of samples, and calendars that are shared.
  const Batch batch = testing::noise_batch(shape, 200, known, 11, arena);
  const std::vector<float> together = forecast(pulse, batch);
  const std::size_t each = shape.channels * shape.horizon;
  for (const std::vector<std::size_t>& samples :
       {std::vector<std::size_t>{0}, {199}, {84, 85, 86}, {150, 3, 150, 77, 0}}) {
    const std::vector<float> apart = forecast(pulse, pick(batch, samples, arena));
    for (std::size_t i = 0; i < samples.size(); ++i) {
      for (std::size_t j = 0; j < each; ++j) {
        const float expected = together[samples[i] * each + j];
        ASSERT_NEAR(apart[i * each + j], expected, 1e-5 * std::max(1.0f, std::abs(expected)))
            << "sample " << samples[i] << " in a batch of " << samples.size();
      }
    }
  }
}

TEST(Inference, AForecastDoesNotDependOnItsBatchMates) {
  expect_batch_mates_do_not_matter(testing::small_shape(), 0);
}

TEST(Inference, NorWithKnownColumns) {
  expect_batch_mates_do_not_matter(testing::small_shape(), 1);
}

TEST(Inference, NorWithoutAnchor) {
  ModelShape shape = testing::small_shape();
  shape.anchor = false;
  expect_batch_mates_do_not_matter(shape, 0);
}

// Every backbone, inside PULSE and alone.
class EveryBackbone : public ::testing::TestWithParam<ModelShape> {};

TEST_P(EveryBackbone, AForecastDoesNotDependOnItsBatchMates) {
  expect_batch_mates_do_not_matter(GetParam(), 1);
}

TEST_P(EveryBackbone, NorWithoutKnownColumns) {
  ModelShape shape = GetParam();
  shape.features = shape.alone ? 0 : 1;
  expect_batch_mates_do_not_matter(shape, 0);
}

TEST_P(EveryBackbone, SameBitsOnAnyNumberOfThreads) {
  Pulse pulse(GetParam());
  pulse.initialise(3);
  Arena arena;
  const Batch batch = testing::noise_batch(pulse.shape(), 200, 0, 11, arena);
  const std::vector<float> one = forecast(pulse, batch, 1);
  EXPECT_EQ(forecast(pulse, batch, 2), one);
  EXPECT_EQ(forecast(pulse, batch, 4), one);
}

INSTANTIATE_TEST_SUITE_P(All, EveryBackbone, ::testing::ValuesIn(testing::every_backbone()),
                         [](const auto& test) { return testing::word_of(test.param); });
INSTANTIATE_TEST_SUITE_P(OfThePast, EveryBackbone, ::testing::ValuesIn(testing::past_readers()),
                         [](const auto& test) { return testing::word_of(test.param); });

TEST(Inference, SameBitsOnAnyNumberOfThreads) {
  Pulse pulse(testing::small_shape());
  pulse.initialise(3);
  Arena arena;
  const Batch batch = testing::noise_batch(pulse.shape(), 200, 0, 11, arena);
  const std::vector<float> one = forecast(pulse, batch, 1);
  EXPECT_EQ(forecast(pulse, batch, 2), one);
  EXPECT_EQ(forecast(pulse, batch, 4), one);
}

// Encodings that are kept give the same forecasts, until they are forgotten: then new weights
// count.
TEST(Inference, KeptEncodingsAreUsedUntilForgotten) {
  Pulse pulse(testing::small_shape());
  pulse.initialise(3);
  ThreadPool pool(2);
  Arena arena;
  const Batch batch = testing::noise_batch(pulse.shape(), 40, 0, 11, arena);
  Inference inference(pulse, pool);
  Forecast out = allocate_forecast(batch.shape, arena);
  const auto again = [&] {
    inference.forecast(batch, out);
    return std::vector<float>(out.values.begin(), out.values.end());
  };
  const std::vector<float> first = again();
  auto keeping = std::make_unique<Inference::Keeping>(inference, 11, 11);
  EXPECT_EQ(again(), first);
  EXPECT_EQ(again(), first);
  const std::size_t encoder = pulse.parameters().view(pulse.future_encoder().conv_weight()).offset;
  const float before = pulse.parameters().weights()[encoder];
  pulse.parameters().weights()[encoder] += 1.0f;
  EXPECT_EQ(again(), first) << "the weights were promised to stand still";
  keeping.reset();
  const std::vector<float> changed = again();
  EXPECT_NE(changed, first);
  pulse.parameters().weights()[encoder] = before;
  EXPECT_EQ(again(), first) << "nothing is kept any more";
}

// Y = ((Y0 - A_y) - beta) / gamma * deviation + mean + A_y, and the parts are handed out as they
// are: without an anchor A_y is zero and mean and deviation are those of the history.
TEST(Inference, ComponentsAreThoseOfTheForecast) {
  ModelShape shape = testing::small_shape();
  for (const bool anchor : {true, false}) {
    shape.anchor = anchor;
    Pulse pulse(shape);
    pulse.initialise(3);
    Arena arena;
    const Batch batch = testing::noise_batch(shape, 90, 0, 4, arena);
    ThreadPool pool(2);
    Inference inference(pulse, pool);
    Forecast out = allocate_forecast(batch.shape, arena);
    const std::size_t rows = 90 * shape.channels;
    const Inference::Parts parts{arena.allocate<float>(rows * shape.horizon),
                                 arena.allocate<float>(rows), arena.allocate<float>(rows)};
    inference.forecast(batch, out, parts);
    EXPECT_EQ(std::vector<float>(out.values.begin(), out.values.end()), forecast(pulse, batch));
    const bool has_anchor =
        std::ranges::any_of(parts.anchor, [](float value) { return value != 0.0f; });
    EXPECT_EQ(has_anchor, anchor);
    if (anchor) continue;
    for (std::size_t row = 0; row < rows; ++row) {
      const float* history = batch.history.data() + row * shape.lookback;
      double sum = 0.0, squares = 0.0;
      for (std::size_t t = 0; t < shape.lookback; ++t) sum += history[t];
      const double mean = sum / static_cast<double>(shape.lookback);
      for (std::size_t t = 0; t < shape.lookback; ++t) {
        squares += (history[t] - mean) * (history[t] - mean);
      }
      ASSERT_NEAR(parts.mean[row], mean, 1e-5);
      ASSERT_NEAR(parts.deviation[row],
                  std::sqrt(squares / static_cast<double>(shape.lookback - 1) + 1e-5), 1e-5);
    }
  }
}

TEST(Inference, ASteadyForecastAllocatesNothing) {
  if (!allocation_count_works()) GTEST_SKIP() << "a sanitizer owns the allocator in this build";
  Pulse pulse(testing::small_shape());
  pulse.initialise(3);
  Arena arena;
  const Batch batch = testing::noise_batch(pulse.shape(), 200, 0, 11, arena);
  Forecast out = allocate_forecast(batch.shape, arena);
  ThreadPool pool(2);
  Inference inference(pulse, pool);
  // Which worker gets the largest shard is chance; after that nothing is left to allocate.
  int rounds = 0;
  for (std::size_t before = 0; rounds < 8; ++rounds) {
    before = allocation_count();
    for (int i = 0; i < 100; ++i) inference.forecast(batch, out);
    if (allocation_count() == before) break;
  }
  EXPECT_LT(rounds, 8) << "every 100 forecasts something was allocated";
}

}  // namespace
}  // namespace pulsecast::model
