#include "pulsecast/autodiff/lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "pulsecast/autodiff/operations.h"
#include "pulsecast/base/random.h"

namespace pulsecast::autodiff {
namespace {

constexpr std::size_t kWeights = 1000;

// The gradient that a lane is to have: wide in range, so that the order of additions shows.
std::vector<float> lane_values(std::size_t lane) {
  std::vector<float> values(kWeights);
  for (std::size_t i = 0; i < kWeights; ++i) {
    values[i] = static_cast<float>(
        std::exp(5.0 * random::normal({.seed = 5, .step = static_cast<std::uint32_t>(lane)}, i)));
  }
  return values;
}

// By the tree as it is drawn, pair by pair.
std::vector<float> sum_of(std::vector<std::vector<float>> sums) {
  while (sums.size() > 1) {
    std::vector<std::vector<float>> pairs;
    for (std::size_t i = 0; i < sums.size(); i += 2) {
      pairs.push_back(sums[i]);
      if (i + 1 == sums.size()) break;
      for (std::size_t k = 0; k < kWeights; ++k) pairs.back()[k] += sums[i + 1][k];
    }
    sums = std::move(pairs);
  }
  return sums.front();
}

class LaneSums : public ::testing::Test {
 protected:
  LaneSums() { id_ = parameters_.add("weights", {kWeights}); }

  // As a tape would.
  static void contribute(BoundParameters& weights, ParameterId id, std::size_t lane) {
    GradientSlot& slot = *weights[id].slot;
    ASSERT_FALSE(slot.written);
    std::ranges::copy(lane_values(lane), slot.data);
    slot.written = true;
  }

  std::vector<float> expected(std::size_t lanes) const {
    std::vector<std::vector<float>> values;
    for (std::size_t lane = 0; lane < lanes; ++lane) values.push_back(lane_values(lane));
    return sum_of(values);
  }

  // Of roots, as finish() adds them.
  std::vector<float> sum_of_roots(LaneSum& sum) const {
    std::vector<std::vector<float>> roots;
    for (const std::size_t lane : sum.roots()) {
      const GradientSlot& slot = sum.weights(lane).slots()[id_.index];
      EXPECT_TRUE(slot.written);
      roots.emplace_back(slot.data, slot.data + kWeights);
    }
    return sum_of(roots);
  }

  Parameters parameters_;
  ParameterId id_{};
};

// Lanes that end in any order, some while others have not begun.
TEST_F(LaneSums, AreTheTreesInAnyOrder) {
  const GradientLayout layout(parameters_);
  for (const std::size_t lanes : {1u, 2u, 3u, 5u, 8u, 13u, 33u, 64u}) {
    const std::vector<float> tree = expected(lanes);
    for (std::uint64_t order = 0; order < 5; ++order) {
      LaneSum sum(parameters_, layout, kMostLanes);
      std::vector<std::uint32_t> shuffled(lanes);
      random::permutation({.seed = order}, shuffled);
      sum.begin(lanes);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        sum.open(lane);
        contribute(sum.weights(lane), id_, lane);
      }
      for (const std::uint32_t lane : shuffled) sum.close(lane, static_cast<double>(lane));
      EXPECT_EQ(sum_of_roots(sum), tree) << lanes;
      EXPECT_EQ(sum.loss(), static_cast<double>(lanes * (lanes - 1) / 2));
    }
  }
}

TEST_F(LaneSums, AreThePlainSumsToRounding) {
  std::vector<double> plain(kWeights);
  for (std::size_t lane = 0; lane < kMostLanes; ++lane) {
    const std::vector<float> values = lane_values(lane);
    for (std::size_t i = 0; i < kWeights; ++i) plain[i] += values[i];
  }
  const std::vector<float> tree = expected(kMostLanes);
  for (std::size_t i = 0; i < kWeights; ++i) EXPECT_NEAR(tree[i] / plain[i], 1.0, 1e-6);
}

// Threads that are held up here and there, with two, three and eight of them: the tree's sum, and
// no more memory than was reserved.
TEST_F(LaneSums, AreTheTreesOnThreadsThatAreHeldUp) {
  const GradientLayout layout(parameters_);
  const std::vector<float> tree = expected(kMostLanes);
  for (const std::size_t threads : {2u, 3u, 8u}) {
    ThreadPool pool(threads);
    LaneSum sum(parameters_, layout, pool.size());
    for (std::uint32_t round = 0; round < 20; ++round) {
      sum.begin(kMostLanes);
      pool.run(kMostLanes, [&](std::size_t lane, std::size_t) {
        sum.open(lane);
        contribute(sum.weights(lane), id_, lane);
        const double draw = random::uniform({.seed = 8, .step = round}, lane);
        // Most are quick and some take as long as many.
        std::this_thread::sleep_for(std::chrono::microseconds(draw < 0.1 ? 2000 : 20));
        sum.close(lane);
      });
      ASSERT_EQ(sum_of_roots(sum), tree) << threads;
    }
  }
}

// Every way that two lanes out of 64 can be open while all before the later one have ended: what
// memory is reserved for is never too little, and it is far from 64 buffers.
TEST_F(LaneSums, NeedFewBuffersOnTwoThreads) {
  const GradientLayout layout(parameters_);
  LaneSum sum(parameters_, layout, 2);
  for (std::size_t late = 0; late < kMostLanes; ++late) {
    sum.begin(kMostLanes);
    for (std::size_t lane = 0; lane < kMostLanes; ++lane) {
      sum.open(lane);
      if (lane != late) sum.close(lane);
    }
    sum.close(late);
  }
  EXPECT_GT(sum.most_buffers(), 6u);
  EXPECT_LE(sum.most_buffers(), 13u);
  // One after the other, there is one at each level.
  LaneSum alone(parameters_, layout, 1);
  alone.begin(kMostLanes);
  for (std::size_t lane = 0; lane < kMostLanes; ++lane) {
    alone.open(lane);
    alone.close(lane);
  }
  EXPECT_LE(alone.most_buffers(), 8u);
}

// What only some lanes touch is the sum of theirs, and what none touches is nothing.
TEST_F(LaneSums, KnowWhoTouchedWhat) {
  const ParameterId rare = parameters_.add("rare", {kWeights});
  const ParameterId never = parameters_.add("never", {kWeights});
  const GradientLayout layout(parameters_);
  for (const std::size_t lanes : {6u, 64u}) {
    LaneSum sum(parameters_, layout, 1);
    sum.begin(lanes);
    std::vector<std::vector<float>> values;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      sum.open(lane);
      contribute(sum.weights(lane), id_, lane);
      const bool touches = lane % 5 == 1;
      if (touches) contribute(sum.weights(lane), rare, lane);
      values.push_back(touches ? lane_values(lane) : std::vector<float>(kWeights, 0.0f));
      sum.close(lane);
    }
    EXPECT_EQ(sum_of_roots(sum), expected(lanes));
    std::vector<std::vector<float>> roots;
    for (const std::size_t lane : sum.roots()) {
      const GradientSlot& slot = sum.weights(lane).slots()[rare.index];
      roots.emplace_back(kWeights, 0.0f);
      if (slot.written) std::copy_n(slot.data, kWeights, roots.back().begin());
      EXPECT_FALSE(sum.weights(lane).slots()[never.index].written);
    }
    EXPECT_EQ(sum_of(roots), sum_of(values));
  }
}

TEST(SumTree, LossesAreAddedByTheSameTree) {
  const auto sum = [](std::vector<double> values) { return sum_by_tree(values); };
  const double a = 1e16, b = 1.0, c = -1e16, d = 3.0, e = 0.1;
  EXPECT_EQ(sum({}), 0.0);
  EXPECT_EQ(sum({a}), a);
  EXPECT_EQ(sum({a, b, c}), (a + b) + c);
  EXPECT_EQ(sum({a, b, c, d, e}), ((a + b) + (c + d)) + e);
}

// A parameter that no shard touches has a gradient of zero, not of the step before.
TEST(Lanes, UntouchedGradientsAreZero) {
  ThreadPool pool(2);
  Parameters parameters;
  const ParameterId used = parameters.add("used", {4});
  parameters.add("unused", {3});
  parameters.fill(used, 1.0f);
  Lanes lanes(parameters, pool);
  const std::vector<float> target(4, 0.0f);
  for (const LaneCut& cut : {LaneCut{8, 8}, LaneCut{2, 5}, LaneCut{64, 100}, LaneCut{1, 1}}) {
    const double loss = lanes.run(cut, [&](std::size_t, Tape& tape, BoundParameters& p) {
      return squared_error(tape, p[used], tape.constant(target.data(), {4}), 1.0f);
    });
    EXPECT_EQ(loss, 4.0 * static_cast<double>(cut.shards));
    const auto g = lanes.gradients();
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(g[i], 2.0f * static_cast<float>(cut.shards));
    for (std::size_t i = 4; i < 7; ++i) EXPECT_EQ(g[i], 0.0f);
  }
  EXPECT_EQ(lanes.run({}, [](std::size_t, Tape& tape,
                             BoundParameters&) { return tape.result({1}, false); }),
            0.0);
  for (const float g : lanes.gradients()) EXPECT_EQ(g, 0.0f);
}

TEST(Lanes, GradientsOfManyLanesTakeFewBuffers) {
  ThreadPool pool(2);
  Parameters parameters;
  const ParameterId used = parameters.add("used", {4});
  Lanes lanes(parameters, pool);
  const std::vector<float> target(4, 0.0f);
  for (int step = 0; step < 50; ++step) {
    lanes.run({64, 64}, [&](std::size_t, Tape& tape, BoundParameters& p) {
      return squared_error(tape, p[used], tape.constant(target.data(), {4}), 1.0f);
    });
  }
  EXPECT_LE(lanes.most_buffers(), 13u);
}

// What a step that failed had begun is forgotten.
TEST(Lanes, AFailedStepIsForgotten) {
  ThreadPool pool(2);
  Parameters parameters;
  const ParameterId used = parameters.add("used", {4});
  parameters.fill(used, 1.0f);
  Lanes lanes(parameters, pool);
  const std::vector<float> target(4, 0.0f);
  const auto step = [&](bool fails) {
    return lanes.run({64, 64}, [&](std::size_t index, Tape& tape, BoundParameters& p) {
      if (fails && index % 7 == 5) throw std::runtime_error("a shard");
      return squared_error(tape, p[used], tape.constant(target.data(), {4}), 1.0f);
    });
  };
  for (int i = 0; i < 20; ++i) {
    EXPECT_THROW(step(true), std::runtime_error);
    EXPECT_EQ(step(false), 256.0);
    EXPECT_EQ(lanes.gradients()[3], 128.0f);
  }
}

}  // namespace
}  // namespace pulsecast::autodiff
