// Backbones have as many weights as their authors' programs make of the published settings, but for
// those that multiply zeros or are never read.

#include <gtest/gtest.h>

#include "pulsecast/model/backbone.h"

namespace pulsecast::model {
namespace {

// At look-back 96.
struct WeightCase {
  const char* name;
  BackboneKind backbone;
  std::size_t horizon;
  std::size_t channels;
  std::size_t features;
  BackboneSizes sizes;
  std::size_t published;
  std::size_t left_out;
};

// Each half of CFPT's spectrum has 98 numbers there, of which the other half's are zero.
const std::vector<WeightCase> kWeightCases = {
    {"ETTh1 96",
     BackboneKind::kCfpt,
     96,
     7,
     1,
     {.width = 512, .layers = 3, .patch = 24, .kernel = 3},
     3277912,
     98 * 256},
    {"ETTh2 96, an even kernel",
     BackboneKind::kCfpt,
     96,
     7,
     1,
     {.width = 256, .layers = 1, .patch = 24, .kernel = 2},
     325892,
     98 * 128},
    {"ETTh2 720, three features",
     BackboneKind::kCfpt,
     720,
     7,
     3,
     {.width = 1024, .layers = 1, .patch = 24, .kernel = 2},
     5573708,
     98 * 512},
    {"Weather 720, a narrow calendar",
     BackboneKind::kCfpt,
     720,
     21,
     2,
     {.width = 128, .layers = 3, .patch = 24, .kernel = 5, .calendar_shrink = 4},
     850827,
     98 * 64},
    {"ETTh1 96",
     BackboneKind::kMsgNet,
     96,
     7,
     4,
     {.width = 32, .heads = 8, .layers = 1, .feed_forward = 64, .top_periods = 3},
     917323,
     0},
    {"ETTm1 720, half as many channels",
     BackboneKind::kMsgNet,
     720,
     7,
     4,
     {.width = 32,
      .heads = 8,
      .layers = 1,
      .feed_forward = 32,
      .top_periods = 3,
      .graph_channels = 16},
     969867,
     0},
    {"Weather 96",
     BackboneKind::kMsgNet,
     96,
     21,
     4,
     {.width = 64, .heads = 8, .layers = 2, .feed_forward = 128, .top_periods = 5},
     3097373,
     0},
    {"ETTh1 96",
     BackboneKind::kCrossformer,
     96,
     7,
     1,
     {.width = 512, .heads = 8, .layers = 2, .feed_forward = 2048, .patch = 12, .routers = 3},
     42176036,
     0},
    {"ETTm2 720, one router",
     BackboneKind::kCrossformer,
     720,
     7,
     1,
     {.width = 512, .heads = 8, .layers = 2, .feed_forward = 2048, .patch = 12, .routers = 1},
     42405412,
     0},
    {"Weather 192",
     BackboneKind::kCrossformer,
     192,
     21,
     1,
     {.width = 32, .heads = 8, .layers = 2, .feed_forward = 32, .patch = 12, .routers = 3},
     130884,
     0},
    {"ETTm1 96, a cycle of four steps", BackboneKind::kSparseTsf, 96, 7, 1, {.cycle = 4}, 581, 0},
};

TEST(PublishedWeights, AreAsMany) {
  for (const WeightCase& one : kWeightCases) {
    SCOPED_TRACE(one.name);
    Parameters parameters;
    backbone_maker(one.backbone)
        .make(parameters, {.lookback = 96,
                           .horizon = one.horizon,
                           .channels = one.channels,
                           .features = one.features,
                           .backbone = one.backbone,
                           .alone = true,
                           .sizes = one.sizes,
                           .anchor = false,
                           .router = false});
    EXPECT_EQ(parameters.learned_count(), one.published - one.left_out);
  }
}

}  // namespace
}  // namespace pulsecast::model
