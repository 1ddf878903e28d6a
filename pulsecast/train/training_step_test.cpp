#include "pulsecast/train/training_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "pulsecast/data/windows/batcher.h"
#include "pulsecast/data/windows/window_order.h"
#include "pulsecast/kernels/pointwise/adam.h"
#include "pulsecast/model/testing.h"
#include "pulsecast/testing/allocation_count.h"
#include "pulsecast/train/testing.h"

namespace pulsecast::train {
namespace {

constexpr std::size_t kCalendars = 11;

struct Outcome {
  double loss;
  std::vector<float> gradients;
};

Outcome run(model::Pulse& pulse, ThreadPool& pool, const Batch& batch, LossKind loss, Mixup mixup,
            const MixupDraw& draw = {}) {
  TrainingStep step(pulse, pool, loss, mixup);
  const double value =
      step.run(batch, draw,
               {.seed = 1, .purpose = random::Purpose::kAttentionDropout, .epoch = 1, .step = 3});
  return {value, {step.gradients().begin(), step.gradients().end()}};
}

// As parity is measured: by the largest value of each tensor, with a floor for those that are zero
// but for rounding.
void expect_same_gradients(const model::Pulse& pulse, std::span<const float> ours,
                           std::span<const float> theirs) {
  const double most = testing::largest(theirs);
  for (const auto& view : pulse.parameters().views()) {
    const auto expected = theirs.subspan(view.offset, view.shape.count());
    const double allowed = std::max(1e-4 * testing::largest(expected), 1e-6 * most);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(ours[view.offset + i], expected[i], allowed) << view.name;
    }
  }
}

// One sample of a batch, as a batch of its own.
Batch only(const Batch& batch, std::size_t sample) {
  Batch one = part_of(batch, sample, 1);
  one.shape.samples = 1;
  const auto calendar = [&](const Calendars& from, std::size_t steps, Calendars& to) {
    const auto own = static_cast<std::size_t>(from.of_sample[sample]);
    const std::size_t each = steps * batch.shape.features;
    static std::int32_t zero = 0;
    to = {1, {&zero, 1}, {&zero, 1}, from.features.subspan(own * each, each)};
  };
  calendar(batch.history_calendars, batch.shape.lookback, one.history_calendars);
  calendar(batch.future_calendars, batch.shape.horizon, one.future_calendars);
  return one;
}

// What is missing weighs nothing: loss and gradient do not change by a bit with what stands in its
// place, and are the mean over what is there.
TEST(TrainingStep, MissingChannelsHaveNoPartInIt) {
  ThreadPool pool(2);
  model::ModelShape shape = model::testing::small_shape();
  shape.dropout = 0.0f;
  ASSERT_GE(shape.channels, 2u);
  for (const LossKind loss : {LossKind::kFrequency, LossKind::kSquared, LossKind::kAbsolute}) {
    model::Pulse pulse(shape);
    pulse.initialise(3);
    Arena arena;
    Batch batch = model::testing::noise_batch(shape, 5, 0, kCalendars, arena);
    const Outcome all = run(pulse, pool, batch, loss, Mixup::kNone);
    std::vector<std::uint8_t> present(5 * shape.channels, 1);
    batch.present = present;
    const Outcome marked = run(pulse, pool, batch, loss, Mixup::kNone);
    EXPECT_EQ(marked.loss, all.loss);
    EXPECT_EQ(marked.gradients, all.gradients);

    present[2 * shape.channels + 1] = 0;
    const auto target =
        batch.target.subspan((2 * shape.channels + 1) * shape.horizon, shape.horizon);
    const Outcome one = run(pulse, pool, batch, loss, Mixup::kNone);
    std::ranges::fill(target, 7.0f);
    const Outcome other = run(pulse, pool, batch, loss, Mixup::kNone);
    EXPECT_EQ(one.loss, other.loss);
    EXPECT_EQ(one.gradients, other.gradients);
    EXPECT_NE(one.gradients, all.gradients);
  }
}

// Without mixup and dropout samples do not touch each other, so loss and gradient of a batch are
// the means over its samples: however many, and however they are cut into shards.
TEST(TrainingStep, IsTheMeanOverSamples) {
  ThreadPool pool(2);
  model::ModelShape shape = model::testing::small_shape();
  shape.dropout = 0.0f;
  for (const LossKind loss : {LossKind::kFrequency, LossKind::kSquared, LossKind::kAbsolute}) {
    for (const std::size_t samples : {1u, 2u, 85u, 86u, 170u}) {
      model::Pulse pulse(shape);
      pulse.initialise(3);
      Arena arena;
      const Batch batch = model::testing::noise_batch(shape, samples, 0, kCalendars, arena);
      const Outcome whole = run(pulse, pool, batch, loss, Mixup::kNone);
      ThreadPool alone(1);
      double sum = 0.0;
      std::vector<float> gradients(pulse.parameters().count());
      for (std::size_t b = 0; b < samples; ++b) {
        const Outcome one = run(pulse, alone, only(batch, b), loss, Mixup::kNone);
        sum += one.loss;
        for (std::size_t i = 0; i < gradients.size(); ++i) {
          gradients[i] += one.gradients[i] / static_cast<float>(samples);
        }
      }
      EXPECT_NEAR(whole.loss * static_cast<double>(samples) / sum, 1.0, 1e-5) << samples;
      expect_same_gradients(pulse, whole.gradients, gradients);
    }
  }
}

// An encoding for each distinct calendar is not an approximation of one for each sample.
TEST(TrainingStep, SharedCalendarsGiveTheGradientsOfSeparateOnes) {
  ThreadPool pool(2);
  const model::ModelShape shape = model::testing::small_shape();
  constexpr std::size_t kSamples = 130;
  for (const Mixup mixup : {Mixup::kStatisticAware, Mixup::kPlain, Mixup::kNone}) {
    model::Pulse pulse(shape);
    pulse.initialise(3);
    Arena arena;
    const Batch shared = model::testing::noise_batch(shape, kSamples, 0, kCalendars, arena);
    Batch apart = model::testing::noise_batch(shape, kSamples, 0, kCalendars, arena);
    const auto separate = [&](std::size_t steps, Calendars& calendars) {
      const std::size_t each = steps * shape.features;
      const std::vector<float> features(calendars.features.begin(), calendars.features.end());
      for (std::size_t b = 0; b < kSamples; ++b) {
        const auto own = static_cast<std::size_t>(calendars.of_sample[b]);
        std::copy_n(features.data() + own * each, each, calendars.features.data() + b * each);
        calendars.of_sample[b] = static_cast<std::int32_t>(b);
      }
      calendars.distinct = kSamples;
    };
    separate(shape.lookback, apart.history_calendars);
    separate(shape.horizon, apart.future_calendars);
    ASSERT_LT(shared.history_calendars.distinct, kSamples);

    std::vector<std::uint32_t> partners(kSamples);
    random::permutation({.seed = 4}, partners);
    const MixupDraw draw{0.3f, partners};
    const Outcome one = run(pulse, pool, shared, LossKind::kFrequency, mixup, draw);
    const Outcome many = run(pulse, pool, apart, LossKind::kFrequency, mixup, draw);
    EXPECT_NEAR(one.loss / many.loss, 1.0, 1e-6);
    expect_same_gradients(pulse, one.gradients, many.gradients);
  }
}

// A sample mixed with itself, or with weight 1, is itself.
TEST(TrainingStep, MixedWithItselfIsItself) {
  ThreadPool pool(2);
  const model::ModelShape shape = model::testing::small_shape();
  model::Pulse pulse(shape);
  pulse.initialise(3);
  Arena arena;
  const Batch batch = model::testing::noise_batch(shape, 20, 0, kCalendars, arena);
  const Outcome alone = run(pulse, pool, batch, LossKind::kFrequency, Mixup::kNone);
  std::vector<std::uint32_t> selves(20), others(20);
  std::iota(selves.begin(), selves.end(), 0u);
  random::permutation({.seed = 4}, others);
  for (const Mixup mixup : {Mixup::kStatisticAware, Mixup::kPlain}) {
    for (const MixupDraw& draw : {MixupDraw{0.3f, selves}, MixupDraw{1.0f, others}}) {
      const Outcome mixed = run(pulse, pool, batch, LossKind::kFrequency, mixup, draw);
      EXPECT_NEAR(mixed.loss / alone.loss, 1.0, 1e-5);
      expect_same_gradients(pulse, mixed.gradients, alone.gradients);
    }
    const Outcome other = run(pulse, pool, batch, LossKind::kFrequency, mixup, {0.5f, others});
    EXPECT_GT(std::abs(other.loss / alone.loss - 1.0), 1e-3);
  }
}

class EveryBackbone : public ::testing::TestWithParam<model::ModelShape> {};

// outcome(threads)
void expect_same_bits(const std::function<Outcome(std::size_t)>& outcome,
                      std::initializer_list<std::size_t> numbers = {2, 3, 8, 13, 64}) {
  const Outcome one = outcome(1);
  for (const std::size_t threads : numbers) {
    const Outcome many = outcome(threads);
    EXPECT_EQ(many.loss, one.loss) << threads;
    EXPECT_EQ(many.gradients, one.gradients) << threads;
  }
}

// Of a step of mixed samples, its gradients and what it made of the weights.
void expect_same_bits_of_a_step(const model::ModelShape& shape, Mixup mixup) {
  constexpr std::size_t kSamples = 200;
  std::vector<std::uint32_t> partners(kSamples);
  random::permutation({.seed = 4}, partners);
  expect_same_bits([&](std::size_t threads) {
    model::Pulse pulse(shape);
    pulse.initialise(3);
    Arena arena;
    const Batch batch = model::testing::noise_batch(shape, kSamples, 1, kCalendars, arena);
    ThreadPool pool(threads);
    Outcome found = run(pulse, pool, batch, LossKind::kSquared, mixup, {0.3f, partners});
    const auto weights = pulse.parameters().weights();  // buffers change with a step
    found.gradients.insert(found.gradients.end(), weights.begin(), weights.end());
    return found;
  });
}

TEST_P(EveryBackbone, SameBitsOnAnyNumberOfThreads) {
  expect_same_bits_of_a_step(GetParam(), Mixup::kStatisticAware);
}

// Sizes at which the operations of a batch that is one shard are cut into parts.
TEST_P(EveryBackbone, SameBitsWhenThreadsShareAShard) {
  model::ModelShape shape = GetParam();
  shape.lookback = 48;
  shape.horizon = 24;
  shape.sizes.width = 64;
  shape.sizes.feed_forward = 96;
  shape.sizes.layers = 1;
  shape.sizes.patch = 8;
  shape.sizes.stride = 4;
  shape.sizes.top_periods = 1;
  constexpr std::size_t kSamples = 80;  // of three channels, at most 256 rows
  expect_same_bits(
      [&](std::size_t threads) {
        model::Pulse pulse(shape);
        pulse.initialise(3);
        Arena arena;
        const Batch batch = model::testing::noise_batch(shape, kSamples, 1, kCalendars, arena);
        ThreadPool pool(threads);
        return run(pulse, pool, batch, LossKind::kSquared, Mixup::kNone);
      },
      {2, 3, 8});
}

class PastReaders : public ::testing::TestWithParam<model::ModelShape> {};

TEST_P(PastReaders, SameBitsOnAnyNumberOfThreads) {
  expect_same_bits_of_a_step(GetParam(), Mixup::kStatisticAware);
  expect_same_bits_of_a_step(GetParam(), Mixup::kPlain);
}

// By central differences along the gradient: what the columns of the past bring flows back to the
// weights that they share with the other tokens. And both partners of a pair count.
TEST_P(PastReaders, GradientsAreCentralDifferences) {
  model::ModelShape shape = GetParam();
  shape.dropout = shape.sizes.dropout = 0.0f;
  constexpr std::size_t kSamples = 20;
  std::vector<std::uint32_t> partners(kSamples);
  random::permutation({.seed = 4}, partners);
  const MixupDraw draw{0.3f, partners};
  model::Pulse pulse(shape);
  pulse.initialise(3);
  Arena arena;
  const Batch batch = model::testing::noise_batch(shape, kSamples, 1, kCalendars, arena);
  ThreadPool pool(1);
  for (const Mixup mixup : {Mixup::kNone, Mixup::kStatisticAware, Mixup::kPlain}) {
    const auto loss_of = [&] { return run(pulse, pool, batch, LossKind::kSquared, mixup, draw); };
    const Outcome here = loss_of();
    double squares = 0.0;
    for (const float value : here.gradients) squares += static_cast<double>(value) * value;
    const double length = std::sqrt(squares);
    const std::span<float> weights = pulse.parameters().weights();
    const std::vector<float> kept(weights.begin(), weights.end());
    const auto loss_at = [&](double step) {
      for (std::size_t i = 0; i < kept.size(); ++i) {
        weights[i] = static_cast<float>(kept[i] + step / length * here.gradients[i]);
      }
      return loss_of().loss;
    };
    constexpr double kStep = 0.01;
    EXPECT_NEAR((loss_at(kStep) - loss_at(-kStep)) / (2.0 * kStep) / length, 1.0, 0.01);
    std::ranges::copy(kept, weights.begin());
    std::ranges::transform(batch.past_history, batch.past_history.begin(), std::negate{});
    EXPECT_NE(loss_of().loss, here.loss) << "they are read";
  }
}

INSTANTIATE_TEST_SUITE_P(All, PastReaders, ::testing::ValuesIn(model::testing::past_readers()),
                         [](const auto& test) { return model::testing::word_of(test.param); });

// Sixty-four lanes, more than there are threads anywhere here, and lanes of several shards.
TEST(TrainingStep, SameBitsWithManyLanes) {
  for (const std::size_t channels : {7u, 21u, 321u}) {
    model::ModelShape shape = model::testing::small_shape();
    shape.channels = channels;
    const std::size_t samples = channels == 321 ? 70 : 256;
    std::vector<std::uint32_t> partners(samples);
    random::permutation({.seed = 4}, partners);
    expect_same_bits([&](std::size_t threads) {
      model::Pulse pulse(shape);
      pulse.initialise(3);
      Arena arena;
      // Hardly two samples share a calendar, so that the encodings have many lanes too.
      const Batch batch = model::testing::noise_batch(shape, samples, 1, 240, arena);
      ThreadPool pool(threads);
      return run(pulse, pool, batch, LossKind::kFrequency, Mixup::kStatisticAware,
                 {0.3f, partners});
    });
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryBackbone, ::testing::ValuesIn(model::testing::every_backbone()),
                         [](const auto& test) { return model::testing::word_of(test.param); });

// Gathering, drawing, the step and Adam: all that the trainer does in a step.
TEST(TrainingStep, ASteadyStepAllocatesNothing) {
  if (!allocation_count_works()) GTEST_SKIP() << "a sanitizer owns the allocator in this build";
  testing::SmallRun small;
  const TrainingTask task = small.task();
  ThreadPool pool(2);
  TrainingStep step(task.pulse, pool, LossKind::kFrequency, Mixup::kStatisticAware);
  Batcher batcher(task.training, task.batch, pool);
  MixupDraws draws(1, 0.15);
  WindowOrder order = WindowOrder::shuffled(task.training.size(), task.batch, 1);
  const std::span<float> weights = task.pulse.parameters().weights();
  std::vector<float> moment1(weights.size()), moment2(weights.size());
  std::uint32_t epoch = 0;
  std::int64_t steps = 0;
  const auto run_epoch = [&] {
    order.shuffle(1, ++epoch);
    for (std::uint32_t i = 0; i < order.batches(); ++i) {
      const Batch& batch = batcher.gather(order.batch(i));
      const MixupDraw draw = draws.draw(epoch, i, batch.shape.samples);
      step.run(
          batch, draw,
          {.seed = 1, .purpose = random::Purpose::kAttentionDropout, .epoch = epoch, .step = i});
      kernels::adam(weights.size(), {}, ++steps, step.gradients().data(), weights.data(),
                    moment1.data(), moment2.data());
    }
  };
  // How many calendars are distinct and which worker gets what differ from step to step; after some
  // epochs everything has had its largest.
  int rounds = 0;
  for (std::size_t before = 0; rounds < 8; ++rounds) {
    before = allocation_count();
    for (int i = 0; i < 40; ++i) run_epoch();
    if (allocation_count() == before) break;
  }
  EXPECT_LT(rounds, 8) << "every 40 epochs something was allocated";
}

}  // namespace
}  // namespace pulsecast::train
