// Every backbone against its PyTorch twin (tools/make_backbone_fixtures.py), inside PULSE and
// alone.

#include <gtest/gtest.h>

#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/train/parity/testing.h"

namespace pulsecast::train {
namespace {

const char* const kBackboneFixtures = PULSECAST_SOURCE_DIR "/tests/fixtures/backbones.safetensors";

class BackboneParity : public ::testing::TestWithParam<std::string> {};

TEST_P(BackboneParity, ForecastIsPyTorchs) {
  const store::TensorFile file = store::read_tensors(kBackboneFixtures);
  testing::Case fixture(file, GetParam());
  testing::expect_forecast(fixture, 1e-4);
}

TEST_P(BackboneParity, LossAndGradientsArePyTorchs) {
  const store::TensorFile file = store::read_tensors(kBackboneFixtures);
  testing::Case fixture(file, GetParam());
  testing::expect_loss_and_gradients(fixture);
}

// Every backbone but the mlp, which is PULSE's own case, and msgnet alone with periods of the
// batch.
std::vector<std::string> backbone_cases() {
  std::vector<std::string> names;
  for (const auto& backbone : kChoices<BackboneKind>) {
    if (backbone.value == BackboneKind::kMlp) continue;
    names.emplace_back(backbone.name);
    names.push_back(names.back() + "_alone");
  }
  names.emplace_back("msgnet_of_batch");
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, BackboneParity, ::testing::ValuesIn(backbone_cases()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace pulsecast::train
