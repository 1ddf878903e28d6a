// How a model's weights begin.

#include "pulsecast/model/pulse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "pulsecast/model/testing.h"

namespace pulsecast::model {
namespace {

using Weights = std::map<std::string, std::vector<float>>;

Weights begin(const ModelShape& shape, std::uint64_t seed) {
  Pulse pulse(shape);
  pulse.initialise(seed);
  Weights all;
  for (const auto& view : pulse.parameters().views()) {
    const auto own = pulse.parameters().weights(pulse.parameters().find(view.name));
    all[view.name] = {own.begin(), own.end()};
  }
  return all;
}

// Large enough that ranges are nearly filled and a deviation can be told.
ModelShape large_shape() {
  ModelShape shape = testing::small_shape();
  shape.lookback = 40;
  shape.channels = 30;
  shape.hidden = 64;
  shape.codebook_rows = 50;
  shape.time_width_a = 12;
  shape.time_width_b = 20;
  return shape;
}

TEST(Pulse, LinearAndConvolutionBeginUniformByFanIn) {
  const ModelShape shape = large_shape();
  const Weights weights = begin(shape, 7);
  const auto expect = [&](const std::string& layer, std::size_t fan_in) {
    const float bound = 1.0f / std::sqrt(static_cast<float>(fan_in));
    for (const char* part : {".weight", ".bias"}) {
      const std::vector<float>& values = weights.at(layer + part);
      const auto [least, most] = std::ranges::minmax(values);
      EXPECT_GE(least, -bound) << layer << part;
      EXPECT_LE(most, bound) << layer << part;
      if (values.size() < 200) continue;
      EXPECT_LT(least, -0.97f * bound) << layer << part << " should fill its range";
      EXPECT_GT(most, 0.97f * bound) << layer << part << " should fill its range";
      double sum = 0.0;
      for (const float value : values) sum += value;
      // Four deviations of the mean of a uniform variable.
      EXPECT_NEAR(sum / static_cast<double>(values.size()), 0.0,
                  4.0 * bound / std::sqrt(3.0 * static_cast<double>(values.size())));
    }
  };
  expect("backbone.first", shape.lookback);
  expect("backbone.second", shape.hidden);
  for (const auto& [encoder, steps] : {std::pair<std::string, std::size_t>{"history_encoder", 40},
                                       {"future_encoder", shape.horizon}}) {
    expect(encoder + ".first", shape.features);
    expect(encoder + ".second", shape.time_width_a);
    expect(encoder + ".conv", steps * shape.time_kernel);
    expect(encoder + ".output", shape.time_width_b);
  }
  expect("router.history", shape.history_patches());
  expect("router.future", shape.future_patches());
  for (const char* side : {"router.sender", "router.receiver"}) {
    for (const char* part : {".query", ".key", ".value", ".output"}) {
      expect(std::string(side) + part, shape.router_width);
    }
  }
  expect("router.expand", shape.router_width);
  expect("router.contract", 2 * shape.router_width);
}

TEST(Pulse, CodebookBeginsNormal) {
  const std::vector<float> codebook = begin(large_shape(), 7).at("anchor.codebook");
  ASSERT_EQ(codebook.size(), 1500u);
  double sum = 0.0, squares = 0.0;
  std::size_t within = 0;
  const double deviation = std::sqrt(2.0 / (50 + 30));
  for (const float value : codebook) {
    sum += value;
    squares += static_cast<double>(value) * value;
    if (std::abs(value) < deviation) ++within;
  }
  // Within four deviations of what 1500 draws give.
  EXPECT_NEAR(sum / 1500.0, 0.0, 4.0 * deviation / std::sqrt(1500.0));
  EXPECT_NEAR(std::sqrt(squares / 1500.0), deviation, 4.0 * deviation / std::sqrt(3000.0));
  EXPECT_NEAR(static_cast<double>(within) / 1500.0, 0.6827, 0.05) << "a normal, not a uniform";
}

TEST(Pulse, NormsBeginAsTheIdentity) {
  const Weights weights = begin(large_shape(), 7);
  const auto expect = [&](const std::string& name, float value) {
    for (const float weight : weights.at(name)) ASSERT_EQ(weight, value) << name;
  };
  for (const char* encoder : {"history_encoder", "future_encoder"}) {
    for (const char* norm : {".first_norm", ".second_norm"}) {
      expect(std::string(encoder) + norm + ".weight", 1.0f);
      expect(std::string(encoder) + norm + ".bias", 0.0f);
    }
  }
  expect("revin.gamma", 1.0f);
  expect("revin.beta", 0.0f);
}

TEST(Pulse, SameSeedSameWeights) {
  EXPECT_EQ(begin(large_shape(), 7), begin(large_shape(), 7));
  EXPECT_NE(begin(large_shape(), 7), begin(large_shape(), 8));
  const Weights weights = begin(large_shape(), 7);
  EXPECT_NE(weights.at("router.sender.query.weight"), weights.at("router.sender.key.weight"))
      << "parameters of one shape draw their own numbers";
}

// Draws belong to names: a part more or less leaves the others as they were.
TEST(Pulse, APartMoreDoesNotChangeTheOthers) {
  const Weights whole = begin(large_shape(), 7);
  ModelShape shape = large_shape();
  shape.router = false;
  const Weights without_router = begin(shape, 7);
  shape.anchor = false;
  const Weights without_anchor = begin(shape, 7);
  EXPECT_LT(without_anchor.size(), without_router.size());
  EXPECT_LT(without_router.size(), whole.size());
  for (const Weights& fewer : {without_router, without_anchor}) {
    for (const auto& [name, values] : fewer) EXPECT_EQ(values, whole.at(name)) << name;
  }
}

}  // namespace
}  // namespace pulsecast::model
