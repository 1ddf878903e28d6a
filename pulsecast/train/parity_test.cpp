// The model against its PyTorch twin (tools/make_model_fixtures.py): forecasts, losses and every
// gradient of each case, and the losses of ten steps of training.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "pulsecast/kernels/adam.h"
#include "pulsecast/model/inference.h"
#include "pulsecast/store/safetensors.h"
#include "pulsecast/train/testing.h"
#include "pulsecast/train/training_step.h"

namespace pulsecast::train {
namespace {

const store::TensorFile& fixtures() {
  static const store::TensorFile file =
      store::read_tensors(PULSECAST_SOURCE_DIR "/tests/fixtures/pulse.safetensors");
  return file;
}

class Case {
 public:
  // `weights` names the case whose weights it starts from; `step` is the batch's number where the
  // case holds several.
  explicit Case(const std::string& name, const std::string& weights = {})
      : name_(name),
        settings_(nlohmann::json::parse(fixtures().metadata.at(name))),
        pulse_(shape()) {
    const std::string from = weights.empty() ? name : weights;
    for (const auto& view : pulse_.parameters().views()) {
      const auto& stored = fixtures().at(from + "/weights/" + view.name);
      EXPECT_EQ(stored.count(), view.shape.count()) << view.name;
      std::ranges::copy(stored.floats(),
                        pulse_.parameters().weights(pulse_.parameters().find(view.name)).begin());
    }
  }

  model::Pulse& pulse() { return pulse_; }
  std::size_t size(const char* letter) const { return settings_.at(letter).get<std::size_t>(); }
  Mixup mixup() const {
    const std::string text = settings_.at("mixup");
    return text == "sam" ? Mixup::kStatisticAware : text == "plain" ? Mixup::kPlain : Mixup::kNone;
  }
  random::Stream dropout(std::uint32_t step) const {
    return {.seed = settings_.at("seed").get<std::uint64_t>(),
            .purpose = random::Purpose::kAttentionDropout,
            .epoch = settings_.at("epoch").get<std::uint32_t>(),
            .step = step};
  }
  std::uint32_t step() const { return settings_.at("step").get<std::uint32_t>(); }

  // Values of batch number `index` of a tensor.
  std::span<const float> values(const std::string& tensor, std::size_t index,
                                std::size_t count) const {
    return fixtures().at(name_ + "/" + tensor).floats().subspan(index * count, count);
  }

  Batch batch(std::size_t index, Arena& arena) const {
    const std::size_t B = size("B"), C = size("C"), T = size("T"), H = size("H"), F = size("F"),
                      K = size("K");
    Batch batch = allocate_batch({B, C, T, H, F, K, 0}, arena);
    std::ranges::copy(values("history", index, B * C * T), batch.history.begin());
    std::ranges::copy(values("target", index, B * C * H), batch.target.begin());
    if (K > 0) {
      std::ranges::copy(values("known_history", index, B * K * T), batch.known_history.begin());
      std::ranges::copy(values("known_future", index, B * K * H), batch.known_future.begin());
    }
    const auto phase = values("phase", index, B);
    for (std::size_t b = 0; b < B; ++b) {
      batch.future_phase[b * H] = static_cast<std::int32_t>(phase[b]);
    }
    fill(values("history_features", index, B * T * F), B, batch.history_calendars);
    fill(values("future_features", index, B * H * F), B, batch.future_calendars);
    return batch;
  }

  MixupDraw draw(std::size_t index) {
    const auto partners = values("permutation", index, size("B"));
    partners_.resize(partners.size());
    std::ranges::transform(partners, partners_.begin(),
                           [](float value) { return static_cast<std::uint32_t>(value); });
    return {values("lambda", index, 1).front(), partners_};
  }

 private:
  model::ModelShape shape() const {
    return {.lookback = size("T"),
            .horizon = size("H"),
            .channels = size("C"),
            .features = size("F") + size("K"),
            .period = size("W"),
            .hidden = size("hidden"),
            .anchor = settings_.at("anchor"),
            .codebook_order = settings_.at("order") == "reference" ? CodebookOrder::kReference
                                                                   : CodebookOrder::kCalendar,
            .codebook_rows = size("L"),
            .time_kernel = size("k"),
            .time_width_a = size("Ca"),
            .time_width_b = size("Cb"),
            .router = settings_.at("router"),
            .patch = size("P"),
            .router_width = size("d"),
            .dropout = settings_.at("rate")};
  }

  // Equal calendars become one, as gathering a batch makes them.
  static void fill(std::span<const float> features, std::size_t samples, Calendars& out) {
    const std::size_t each = features.size() / samples;
    std::map<std::vector<float>, std::int32_t> seen;
    for (std::size_t b = 0; b < samples; ++b) {
      const auto own = features.subspan(b * each, each);
      const auto next = static_cast<std::int32_t>(seen.size());
      const auto [entry, is_new] = seen.try_emplace({own.begin(), own.end()}, next);
      out.of_sample[b] = entry->second;
      if (!is_new) continue;
      std::ranges::copy(own, out.features.begin() + static_cast<std::ptrdiff_t>(next * each));
    }
    out.distinct = seen.size();
  }

  std::string name_;
  nlohmann::json settings_;
  model::Pulse pulse_;
  std::vector<std::uint32_t> partners_;
};

void expect_close(std::span<const float> ours, std::span<const float> theirs, double allowed,
                  const std::string& what) {
  ASSERT_EQ(ours.size(), theirs.size()) << what;
  double worst = 0.0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(ours[i]) - theirs[i]));
  }
  EXPECT_LE(worst, allowed) << what;
}

class Parity : public ::testing::TestWithParam<const char*> {};

TEST_P(Parity, ForecastIsPyTorchs) {
  Case fixture(GetParam());
  Arena arena;
  const Batch batch = fixture.batch(0, arena);
  Forecast forecast = allocate_forecast(batch.shape, arena);
  ThreadPool pool(2);
  model::Inference(fixture.pulse(), pool).forecast(batch, forecast);
  const auto theirs = fixture.values("forecast", 0, forecast.values.size());
  expect_close(forecast.values, theirs, 1e-5 * testing::largest(theirs), "forecast");
}

TEST_P(Parity, LossAndGradientsArePyTorchs) {
  Case fixture(GetParam());
  Arena arena;
  const Batch batch = fixture.batch(0, arena);
  ThreadPool pool(2);
  TrainingStep step(fixture.pulse(), pool, LossKind::kFrequency, fixture.mixup());
  const double loss = step.run(batch, fixture.draw(0), fixture.dropout(fixture.step()));
  EXPECT_NEAR(loss / fixture.values("loss", 0, 1).front(), 1.0, 1e-5);
  double most = 0.0;
  for (const auto& view : fixture.pulse().parameters().views()) {
    most = std::max(most,
                    testing::largest(fixture.values("grad/" + view.name, 0, view.shape.count())));
  }
  for (const auto& view : fixture.pulse().parameters().views()) {
    const auto theirs = fixture.values("grad/" + view.name, 0, view.shape.count());
    expect_close(step.gradients().subspan(view.offset, view.shape.count()), theirs,
                 std::max(1e-4 * testing::largest(theirs), 1e-6 * most), view.name);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Parity,
                         ::testing::Values("even", "calendar", "odd", "one", "no_anchor",
                                           "no_router", "plain_mixup", "no_mixup", "known"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Parity, TenStepsOfTrainingFollowPyTorch) {
  Case fixture("trace", "even");
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
