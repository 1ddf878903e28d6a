// The backbone that CONTRIBUTING.md shows, docs/examples/backbone.cpp, put inside PULSE and alone:
// it forecasts, and it learns.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/kernels/pointwise/adam.h"
#include "pulsecast/model/inference.h"
#include "pulsecast/model/testing.h"
#include "pulsecast/train/training_step.h"

namespace pulsecast::model {

std::unique_ptr<Backbone> make_calendar_linear(Parameters& parameters, const ModelShape& shape);

namespace {

constexpr BackboneMaker kMaker{make_calendar_linear, Normalisation::kUnbiased};

class ExampleBackbone : public ::testing::TestWithParam<bool> {};

TEST_P(ExampleBackbone, ForecastsAndLearns) {
  ModelShape shape = testing::small_shape();
  shape.alone = GetParam();
  shape.anchor = shape.router = !shape.alone;
  shape.dropout = 0.0f;
  Pulse pulse(shape, kMaker);
  pulse.initialise(1);
  EXPECT_EQ(pulse.parameters().view(pulse.parameters().find("backbone.calendar")).shape,
            (autodiff::Shape{shape.channels, shape.features, 1}));
  Arena arena;
  const Batch batch = testing::noise_batch(shape, 40, 0, 11, arena);
  ThreadPool pool(2);
  train::TrainingStep step(pulse, pool, LossKind::kSquared, Mixup::kNone);
  std::vector<float> moment1(pulse.parameters().count()), moment2(moment1.size());
  std::vector<double> losses;
  for (std::int64_t i = 1; i <= 60; ++i) {
    losses.push_back(step.run(batch, {}, {}));
    kernels::adam(moment1.size(), {.learning_rate = 0.01}, i, step.gradients().data(),
                  pulse.parameters().weights().data(), moment1.data(), moment2.data());
  }
  EXPECT_LT(losses.back(), 0.8 * losses.front());

  Forecast forecast = allocate_forecast(batch.shape, arena);
  Inference(pulse, pool).forecast(batch, forecast);
  double sum = 0.0;
  for (std::size_t i = 0; i < forecast.values.size(); ++i) {
    const double error = static_cast<double>(forecast.values[i]) - batch.target[i];
    sum += error * error;
  }
  const double mean = sum / static_cast<double>(forecast.values.size());
  EXPECT_NEAR(mean, step.run(batch, {}, {}), 1e-4 * mean) << "what was learned is what forecasts";
}

INSTANTIATE_TEST_SUITE_P(InsideAndAlone, ExampleBackbone, ::testing::Bool());

}  // namespace
}  // namespace pulsecast::model
