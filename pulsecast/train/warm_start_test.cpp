#include "pulsecast/train/warm_start.h"

#include <gtest/gtest.h>

#include <numeric>

namespace pulsecast::train {
namespace {

using Names = std::vector<std::string>;

model::ModelShape shape_of(std::size_t channels) {
  return {.lookback = 12,
          .horizon = 6,
          .channels = channels,
          .features = 2,
          .period = 4,
          .hidden = 8,
          .codebook_rows = 4,
          .time_width_a = 3,
          .time_width_b = 3,
          .patch = 3,
          .router_width = 4,
          .companion = true};
}

// Weights that tell where they are.
model::Pulse numbered(std::size_t channels) {
  model::Pulse pulse(shape_of(channels));
  auto weights = pulse.parameters().weights();
  std::iota(weights.begin(), weights.end(), 1.0f);
  return pulse;
}

TEST(WarmStart, TheSameChannelsKeepEveryWeightButTheCompanions) {
  const model::Pulse old = numbered(3);
  model::Pulse pulse(shape_of(3));
  pulse.initialise(1);
  const WarmStart start = warm_start(old, Names{"a", "b", "c"}, pulse, Names{"a", "b", "c"});
  EXPECT_EQ(start.kept, start.all);
  EXPECT_TRUE(start.anew.empty());
  for (const auto& view : pulse.parameters().views()) {
    const float own = pulse.parameters().weights()[view.offset];
    if (view.name.starts_with("companion.")) {
      EXPECT_EQ(own, 0.0f) << view.name;
    } else {
      EXPECT_EQ(own, old.parameters().weights()[view.offset]) << view.name;
    }
  }
}

// The codebook has a column a channel, whatever else has as many rows as there are channels.
TEST(WarmStart, ChannelsKeepTheirRowsByTheirNames) {
  const model::Pulse old = numbered(3);
  model::Pulse pulse(shape_of(4));
  pulse.initialise(1);
  const WarmStart start = warm_start(old, Names{"a", "b", "c"}, pulse, Names{"c", "new", "a", "b"});
  EXPECT_EQ(start.new_channels, (Names{"new"}));
  EXPECT_EQ(start.kept, start.all);
  bool is_seen = false;
  for (const auto& view : pulse.parameters().views()) {
    const auto& theirs = old.parameters().view(old.parameters().find(view.name));
    if (view.shape.count() == theirs.shape.count()) continue;
    is_seen = true;
    // One dimension counts channels; find it, and look along it at the first place of all others.
    std::size_t dimension = 0;
    while (view.shape[dimension] == theirs.shape[dimension]) ++dimension;
    std::size_t after = 1;
    for (std::size_t i = dimension + 1; i < view.shape.rank(); ++i) after *= view.shape[i];
    const auto own = [&](std::size_t c) {
      return pulse.parameters().weights()[view.offset + c * after];
    };
    const auto was = [&](std::size_t c) {
      return old.parameters().weights()[theirs.offset + c * after];
    };
    EXPECT_EQ(own(0), was(2)) << view.name;
    EXPECT_EQ(own(2), was(0)) << view.name;
    EXPECT_EQ(own(3), was(1)) << view.name;
    EXPECT_FLOAT_EQ(own(1), (was(0) + was(1) + was(2)) / 3.0f) << view.name;
  }
  EXPECT_TRUE(is_seen);
}

TEST(WarmStart, WhatDoesNotFitBeginsAnewAndIsNamed) {
  const model::Pulse old = numbered(2);
  model::ModelShape longer = shape_of(2);
  longer.hidden = 16;
  model::Pulse pulse(longer);
  pulse.initialise(1);
  model::Pulse fresh(longer);
  fresh.initialise(1);
  const WarmStart start = warm_start(old, Names{"a", "b"}, pulse, Names{"a", "b"});
  ASSERT_FALSE(start.anew.empty());
  EXPECT_GT(start.kept, 0u);
  for (const std::string& name : start.anew) {
    const auto& view = pulse.parameters().view(pulse.parameters().find(name));
    EXPECT_EQ(pulse.parameters().weights()[view.offset], fresh.parameters().weights()[view.offset]);
  }
}

}  // namespace
}  // namespace pulsecast::train
