// The model against its PyTorch twin (tools/make_model_fixtures.py): forecasts, losses and every
// gradient of each case, and the losses of ten steps of training.

#include <gtest/gtest.h>

#include "pulsecast/kernels/pointwise/adam.h"
#include "pulsecast/train/parity/testing.h"

namespace pulsecast::train {
namespace {

const char* const kPulseFixtures = PULSECAST_SOURCE_DIR "/tests/fixtures/pulse.safetensors";

class Parity : public ::testing::TestWithParam<const char*> {};

TEST_P(Parity, ForecastIsPyTorchs) {
  const store::TensorFile file = store::read_tensors(kPulseFixtures);
  testing::Case fixture(file, GetParam());
  testing::expect_forecast(fixture, 1e-5);
}

TEST_P(Parity, LossAndGradientsArePyTorchs) {
  const store::TensorFile file = store::read_tensors(kPulseFixtures);
  testing::Case fixture(file, GetParam());
  testing::expect_loss_and_gradients(fixture);
}

INSTANTIATE_TEST_SUITE_P(Cases, Parity,
                         ::testing::Values("even", "calendar", "odd", "one", "no_anchor",
                                           "no_router", "plain_mixup", "no_mixup", "known"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Parity, TenStepsOfTrainingFollowPyTorch) {
  const store::TensorFile file = store::read_tensors(kPulseFixtures);
  testing::Case fixture(file, "trace", "even");
  ThreadPool pool(2);
  TrainingStep step(fixture.pulse(), pool, LossKind::kFrequency, fixture.mixup());
  const std::size_t count = fixture.pulse().parameters().count();
  std::vector<float> moment1(count), moment2(count);
  for (std::size_t i = 0; i < 10; ++i) {
    Arena arena;
    const double loss = step.run(fixture.batch(i, arena), fixture.draw(i),
                                 fixture.dropout(static_cast<std::uint32_t>(i)));
    EXPECT_NEAR(loss / fixture.values("losses", i, 1).front(), 1.0, 1e-5) << "step " << i;
    kernels::adam(count, {.learning_rate = 0.005, .beta1 = 0.95}, static_cast<std::int64_t>(i) + 1,
                  step.gradients().data(), fixture.pulse().parameters().weights().data(),
                  moment1.data(), moment2.data());
  }
}

// The counts that the method's description gives.
TEST(Parity, RecipesHaveTheirNumberOfWeights) {
  model::ModelShape shape{.lookback = 96,
                          .horizon = 96,
                          .channels = 7,
                          .features = 1,
                          .period = 24,
                          .codebook_rows = 96,
                          .time_kernel = 5,
                          .time_width_a = 7,
                          .time_width_b = 7,
                          .patch = 24,
                          .router_width = 16};
  const auto weights = [&] { return model::Pulse(shape).parameters().count(); };
  EXPECT_EQ(weights(), 195270u) << "ETTh1 96";
  shape.horizon = 720;
  shape.codebook_rows = 24;
  EXPECT_EQ(weights(), 3062696u) << "ETTh1 720";
  shape.horizon = 96;
  shape.channels = 21;
  shape.features = 2;
  shape.time_width_a = 5;
  shape.time_width_b = 21;
  shape.router_width = 32;
  EXPECT_EQ(weights(), 204260u) << "Weather 96";
  shape.channels = 321;
  shape.codebook_rows = 32;
  shape.patch = 12;
  shape.time_width_a = 40;
  shape.time_width_b = 321;
  EXPECT_EQ(weights(), 448564u) << "Electricity 96";
}

}  // namespace
}  // namespace pulsecast::train
