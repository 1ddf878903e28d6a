#include "pulsecast/model/backbone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "pulsecast/model/testing.h"

namespace pulsecast::model {
namespace {

constexpr std::size_t kDroppedSamples = 9;

// How many values of a training pass's forecast are zero, of noise through fresh weights.
std::ptrdiff_t dropped_values(ModelShape shape) {
  shape.sizes.dropout = 0.5f;
  Arena arena;
  const Batch batch = testing::noise_batch(shape, kDroppedSamples, 0, 4, arena);
  Parameters parameters;
  const std::unique_ptr<Backbone> backbone = backbone_maker(shape.backbone).make(parameters, shape);
  backbone->initialise(parameters, 7);
  std::vector<float> gradients(parameters.count());
  BoundParameters weights(parameters, gradients);

  std::vector<std::uint32_t> samples(kDroppedSamples);
  std::iota(samples.begin(), samples.end(), 0u);
  const BackboneContext context{
      .batch = &batch, .samples = samples, .dropout = {.seed = 3}, .is_training = true};
  std::vector<float> x(kDroppedSamples * shape.channels * shape.lookback);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(random::normal({.seed = 5}, i));
  }
  autodiff::Tape tape(arena, autodiff::Tape::Mode::kTraining);
  const Tensor y = backbone->forward(
      tape, weights, tape.constant(x.data(), {kDroppedSamples * shape.channels, shape.lookback}),
      context);
  return std::count(y.data, y.data + y.count(), 0.0f);
}

TEST(Backbone, NoneDropsItsForecastInsidePulse) {
  for (const ModelShape& shape : testing::every_backbone()) {
    SCOPED_TRACE(testing::word_of(shape));
    const bool is_published_so = shape.alone && (shape.backbone == BackboneKind::kPatchTst ||
                                                 shape.backbone == BackboneKind::kTimeXer ||
                                                 shape.backbone == BackboneKind::kMsgNet);
    if (is_published_so) {
      EXPECT_GT(dropped_values(shape), 0);
    } else {
      EXPECT_EQ(dropped_values(shape), 0);
    }
  }
}

}  // namespace
}  // namespace pulsecast::model
