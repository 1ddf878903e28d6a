#include "pulsecast/model/model_shape.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace pulsecast::model
