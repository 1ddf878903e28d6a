#include "pulsecast/model/ensemble.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pulsecast/base/error.h"
#include "pulsecast/model/inference.h"
#include "pulsecast/model/testing.h"
#include "pulsecast/testing/allocation_count.h"

namespace pulsecast::model {
namespace {

std::unique_ptr<Pulse> made(const ModelShape& shape, std::uint64_t seed) {
  auto pulse = std::make_unique<Pulse>(shape);
  pulse->initialise(seed);
  return pulse;
}

ModelShape with_lookback(std::size_t lookback) {
  ModelShape shape = testing::small_shape();
  shape.lookback = lookback;
  return shape;
}

// What a model says of the batch's newest steps, gathered by hand.
std::vector<float> said_by(const Pulse& pulse, const Batch& batch, ThreadPool& pool) {
  Arena arena;
  const std::size_t T = batch.shape.lookback;
  const std::size_t t = pulse.shape().lookback;
  BatchShape shape = batch.shape;
  shape.lookback = t;
  Batch own = allocate_batch(shape, arena);
  const std::size_t rows = shape.samples * shape.channels;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < t; ++i) {
      own.history[row * t + i] = batch.history[row * T + T - t + i];
    }
  }
  const std::size_t F = shape.features;
  own.history_calendars.distinct = batch.history_calendars.distinct;
  for (std::size_t d = 0; d < own.history_calendars.distinct; ++d) {
    for (std::size_t i = 0; i < t * F; ++i) {
      own.history_calendars.features[d * t * F + i] =
          batch.history_calendars.features[d * T * F + (T - t) * F + i];
    }
  }
  own.history_calendars.of_sample = batch.history_calendars.of_sample;
  own.history_calendars.keys = batch.history_calendars.keys;
  own.future_calendars = batch.future_calendars;
  own.future_phase = batch.future_phase;
  Forecast forecast = allocate_forecast(shape, arena);
  Inference(pulse, pool).forecast(own, forecast);
  return {forecast.values.begin(), forecast.values.end()};
}

TEST(Ensemble, ForecastsAreMeansByShares) {
  ThreadPool pool(2);
  std::vector<Member> members;
  members.push_back({made(with_lookback(13), 1), 0.5f});
  members.push_back({made(with_lookback(21), 2), 0.3f});
  members.push_back({made(with_lookback(9), 3), 0.2f});
  const Ensemble ensemble(std::move(members));
  EXPECT_EQ(ensemble.shape().lookback, 21u);

  Arena arena;
  const Batch batch = testing::noise_batch(ensemble.shape(), 6, 0, 4, arena);
  Forecast forecast = allocate_forecast(batch.shape, arena);
  Inference inference(ensemble, pool);
  inference.forecast(batch, forecast);

  std::vector<float> expected(forecast.values.size(), 0.0f);
  for (const Member& member : ensemble.members()) {
    const std::vector<float> said = said_by(*member.pulse, batch, pool);
    for (std::size_t i = 0; i < said.size(); ++i) expected[i] += member.share * said[i];
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(forecast.values[i], expected[i], 1e-6f);
  }
}

TEST(Ensemble, ALoneModelForecastsToTheBit) {
  ThreadPool pool(1);
  const Ensemble ensemble(made(testing::small_shape(), 1));
  Arena arena;
  const Batch batch = testing::noise_batch(ensemble.shape(), 5, 0, 3, arena);
  Forecast together = allocate_forecast(batch.shape, arena);
  Forecast alone = allocate_forecast(batch.shape, arena);
  Inference(ensemble, pool).forecast(batch, together);
  Inference(ensemble.lead(), pool).forecast(batch, alone);
  EXPECT_TRUE(std::ranges::equal(together.values, alone.values));
}

TEST(Ensemble, AllocatesNothingInTheSteadyState) {
  ThreadPool pool(1);
  std::vector<Member> members;
  members.push_back({made(with_lookback(13), 1), 0.5f});
  members.push_back({made(with_lookback(9), 3), 0.5f});
  const Ensemble ensemble(std::move(members));
  Arena arena;
  const Batch batch = testing::noise_batch(ensemble.shape(), 6, 0, 4, arena);
  Forecast forecast = allocate_forecast(batch.shape, arena);
  Inference inference(ensemble, pool);
  inference.forecast(batch, forecast);
  inference.forecast(batch, forecast);
  const std::size_t before = allocation_count();
  inference.forecast(batch, forecast);
  EXPECT_EQ(allocation_count(), before);
}

TEST(Ensemble, RefusesMembersThatForecastOtherThings) {
  ModelShape other = testing::small_shape();
  other.horizon = 8;
  std::vector<Member> members;
  members.push_back({made(testing::small_shape(), 1), 0.5f});
  members.push_back({made(other, 1), 0.5f});
  EXPECT_THROW(Ensemble(std::move(members)), Error);
  EXPECT_THROW(Ensemble(std::vector<Member>{}), Error);
}

}  // namespace
}  // namespace pulsecast::model
