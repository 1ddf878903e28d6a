#include "pulsecast/model/model_shape.h"

#include <gtest/gtest.h>

#include <set>

#include "pulsecast/base/error.h"
#include "pulsecast/model/pulse.h"
#include "pulsecast/model/testing.h"

namespace pulsecast::model {
namespace {

std::string refusal(const ModelShape& shape) {
  try {
    Pulse pulse(shape);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.message();
  }
  return "accepted";
}

// Each member has its line in visit_fields. Members are counted by naming them all, which stops
// compiling when there is one more.
TEST(ModelShape, EveryFieldIsVisited) {
  const ModelShape shape;
  [[maybe_unused]] const auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15,
                                m16, m17, m18, m19, m20, m21] = shape;
  [[maybe_unused]] const auto& [s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15,
                                s16, s17] = shape.sizes;
  std::set<const void*> fields;
  const auto note = [&](const char*, const auto& field) { fields.insert(&field); };
  visit_fields(shape, note);
  EXPECT_EQ(fields.size(), 21u);
  fields.clear();
  visit_fields(shape.sizes, note);
  EXPECT_EQ(fields.size(), 17u);
}

TEST(ModelShape, NamesTheSizeThatIsOutOfRange) {
  const auto says = [](std::size_t ModelShape::*member, std::size_t value, const char* reason) {
    ModelShape shape = testing::small_shape();
    shape.*member = value;
    EXPECT_EQ(refusal(shape), reason);
  };
  says(&ModelShape::lookback, 1, "the look-back must be at least 2, not 1");
  says(&ModelShape::horizon, 0, "the horizon must be at least 1, not 0");
  says(&ModelShape::channels, 0, "the number of target channels must be at least 1, not 0");
  says(&ModelShape::period, 0, "the period must be at least 1, not 0");
  says(&ModelShape::hidden, 0, "the hidden width must be at least 1, not 0");
  says(&ModelShape::features, 0,
       "the number of calendar features and known columns must be at least 1, not 0");
  says(&ModelShape::past, 1, "mlp reads no columns that are seen up to now only");
  says(&ModelShape::codebook_rows, 0, "the number of codebook rows must be at least 1, not 0");
  says(&ModelShape::time_kernel, 4,
       "the time kernel must be an odd number, so that it has a middle, not 4");
  says(&ModelShape::time_kernel, 0,
       "the time kernel must be an odd number, so that it has a middle, not 0");
  says(&ModelShape::time_width_a, 0,
       "the first width of the time encoders must be at least 1, not 0");
  says(&ModelShape::time_width_b, 0,
       "the second width of the time encoders must be at least 1, not 0");
  says(&ModelShape::patch, 0, "the patch must be at least 1, not 0");
  says(&ModelShape::router_width, 0, "the router's width must be at least 1, not 0");
}

// Sizes of a part that is switched off are not looked at.
TEST(ModelShape, WhatIsOffNeedsNoSizes) {
  ModelShape shape = testing::small_shape();
  shape.router = false;
  shape.patch = 0;
  EXPECT_EQ(refusal(shape), "accepted");
  shape.anchor = false;
  shape.features = 0;
  shape.codebook_rows = 0;
  EXPECT_EQ(refusal(shape), "accepted");
}

TEST(ModelShape, PatchesRoundUp) {
  ModelShape shape = testing::small_shape();
  EXPECT_EQ(shape.history_patches(), 3u) << "13 steps in patches of 5";
  EXPECT_EQ(shape.future_patches(), 2u) << "7 steps in patches of 5";
  shape.patch = 20;
  EXPECT_EQ(shape.history_patches(), 1u);
}

TEST(ModelShape, NamesTheSizeOfTheBackboneThatIsOutOfRange) {
  const auto says = [](auto BackboneSizes::*member, auto value, const char* reason) {
    ModelShape shape = testing::small_shape();
    shape.sizes.*member = value;
    EXPECT_EQ(refusal(shape), reason);
  };
  const std::size_t none = 0;
  says(&BackboneSizes::width, none, "the backbone's width must be at least 1, not 0");
  says(&BackboneSizes::heads, none, "the number of heads must be at least 1, not 0");
  says(&BackboneSizes::layers, none, "the number of layers must be at least 1, not 0");
  says(&BackboneSizes::layers, std::size_t{65}, "the number of layers must be at most 64, not 65");
  says(&BackboneSizes::feed_forward, none, "the feed-forward width must be at least 1, not 0");
  says(&BackboneSizes::stride, std::size_t{17}, "the backbone's stride must be at most 16, not 17");
  says(&BackboneSizes::top_periods, none, "the number of periods must be at least 1, not 0");
  says(&BackboneSizes::moving_average, std::size_t{24},
       "the window of the moving average must be an odd number, so that it has a middle, not 24");
  says(&BackboneSizes::kernel, none, "the backbone's kernel must be at least 1, not 0");
  says(&BackboneSizes::calendar_shrink, none,
       "the shrinking of the calendar must be at least 1, not 0");
  says(&BackboneSizes::frequency_share, 1.5f, "the spectrum's share must be from 0 to 1, not 1.5");
  says(&BackboneSizes::graph_channels, none,
       "the number of graph channels must be at least 1, not 0");
  says(&BackboneSizes::skip_channels, none,
       "the number of skip channels must be at least 1, not 0");
  says(&BackboneSizes::routers, none, "the number of routers must be at least 1, not 0");
  says(&BackboneSizes::dropout, 1.0f,
       "the backbone's dropout must be at least 0 and less than 1, not 1");
}

TEST(ModelShape, AloneThereIsNoAnchor) {
  ModelShape shape = testing::small_shape();
  EXPECT_EQ(model_title(shape), "PULSE with mlp");
  shape.alone = true;
  shape.backbone = BackboneKind::kDLinear;
  EXPECT_EQ(refusal(shape),
            "dlinear alone has no phase anchor; choose PULSE with it as the backbone");
  shape.anchor = false;
  EXPECT_EQ(refusal(shape), "accepted");
  EXPECT_EQ(model_title(shape), "dlinear");
}

TEST(ModelShape, CfptHasTwoHalves) {
  ModelShape shape = testing::small_shape();
  shape.backbone = BackboneKind::kCfpt;
  shape.sizes.width = 7;
  EXPECT_EQ(refusal(shape), "the width of cfpt has two halves, so it must be even, not 7");
}

TEST(ModelShape, HeadsDivideTheWidth) {
  ModelShape shape = testing::small_shape();
  shape.backbone = BackboneKind::kITransformer;
  shape.sizes.width = 10;
  shape.sizes.heads = 3;
  EXPECT_EQ(refusal(shape),
            "the number of heads must divide the backbone's width; 3 does not divide 10");
}

}  // namespace
}  // namespace pulsecast::model
