// For tests: cases of a fixture that a PyTorch twin made, and what they must come to. The norm of
// parity is max|ours - theirs| <= tolerance * max|theirs| a tensor, with a floor for gradients that
// are zero but for rounding.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pulsecast/model/inference.h"
#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/settings/training_declaration.h"
#include "pulsecast/store/safetensors.h"
#include "pulsecast/train/testing.h"
#include "pulsecast/train/training_step.h"

namespace pulsecast::train::testing {

class Case {
 public:
  // `weights` names the case whose weights it starts from. The file outlives the case.
  Case(const store::TensorFile& fixtures, const std::string& name, const std::string& weights = {})
      : fixtures_(fixtures),
        name_(name),
        settings_(nlohmann::json::parse(fixtures.metadata.at(name))),
        pulse_(shape()) {
    const std::string from = weights.empty() ? name : weights;
    for (const auto& view : pulse_.parameters().views()) {
      const auto& stored = fixtures_.at(from + "/weights/" + view.name);
      EXPECT_EQ(stored.count(), view.shape.count()) << view.name;
      std::ranges::copy(stored.floats(),
                        pulse_.parameters().weights(pulse_.parameters().find(view.name)).begin());
    }
  }

  model::Pulse& pulse() { return pulse_; }
  // The loss that the case was trained with.
  LossKind loss() const {
    return settings_.at("alone").get<bool>() ? LossKind::kSquared : LossKind::kFrequency;
  }
  std::size_t size(const char* letter) const { return settings_.at(letter).get<std::size_t>(); }
  // Of a setting that came after the case was made.
  std::size_t size_or(const char* name, std::size_t otherwise) const {
    return settings_.value(name, otherwise);
  }
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
    return fixtures_.at(name_ + "/" + tensor).floats().subspan(index * count, count);
  }

  // Gradients lie one after the other, in the order of the weights.
  std::span<const float> gradient(const autodiff::Parameters::View& view) const {
    const std::string prefix = name_ + "/weights/";
    std::size_t offset = 0;
    for (const store::StoredTensor& tensor : fixtures_.tensors) {
      if (tensor.name == prefix + view.name) break;
      if (tensor.name.starts_with(prefix)) offset += tensor.count();
    }
    return fixtures_.at(name_ + "/gradients").floats().subspan(offset, view.shape.count());
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
    // Phase of a step at some distance from the first of the future.
    const auto phase = values("phase", index, B);
    const auto phase_at = [&](std::size_t b, std::size_t steps_on) {
      const std::size_t W = size("W");
      return static_cast<std::int32_t>((static_cast<std::size_t>(phase[b]) + steps_on) % W);
    };
    for (std::size_t b = 0; b < B; ++b) {
      for (std::size_t t = 0; t < T; ++t) {
        batch.history_phase[b * T + t] = phase_at(b, T * (size("W") - 1) + t);
      }
      for (std::size_t t = 0; t < H; ++t) batch.future_phase[b * H + t] = phase_at(b, t);
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
            .backbone = *choice_of<BackboneKind>(settings_.at("backbone").get<std::string>()),
            .alone = settings_.at("alone"),
            .hidden = size("hidden"),
            .sizes = {.width = size("width"),
                      .heads = size("heads"),
                      .layers = size("layers"),
                      .feed_forward = size("inner"),
                      .patch = size("patch"),
                      .stride = size("stride"),
                      .moving_average = size("average"),
                      .top_periods = size("top"),
                      .kernel = size_or("kernel", 3),
                      .calendar_shrink = size_or("shrink", 1),
                      .frequency_share = settings_.value("share", 0.5f),
                      .graph_channels = size_or("graph", 32),
                      .skip_channels = size_or("skip", 32),
                      .periods_of = *choice_of<PeriodSource>(
                          settings_.value("periods", std::string("sample"))),
                      .routers = size_or("routers", 3),
                      .dropout = settings_.at("backbone_rate")},
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

  const store::TensorFile& fixtures_;
  std::string name_;
  nlohmann::json settings_;
  model::Pulse pulse_;
  std::vector<std::uint32_t> partners_;
};

inline void expect_close(std::span<const float> ours, std::span<const float> theirs, double allowed,
                         const std::string& what) {
  ASSERT_EQ(ours.size(), theirs.size()) << what;
  double worst = 0.0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(ours[i]) - theirs[i]));
  }
  EXPECT_LE(worst, allowed) << what;
}

// Inference, to `tolerance`.
inline void expect_forecast(Case& fixture, double tolerance) {
  Arena arena;
  const Batch batch = fixture.batch(0, arena);
  Forecast forecast = allocate_forecast(batch.shape, arena);
  ThreadPool pool(2);
  model::Inference(fixture.pulse(), pool).forecast(batch, forecast);
  const auto theirs = fixture.values("forecast", 0, forecast.values.size());
  expect_close(forecast.values, theirs, tolerance * largest(theirs), "forecast");
}

// A training step, with mixup and dropout as the case has them: the loss to 1e-5, every gradient to
// 1e-4.
inline void expect_loss_and_gradients(Case& fixture) {
  Arena arena;
  const Batch batch = fixture.batch(0, arena);
  ThreadPool pool(2);
  TrainingStep step(fixture.pulse(), pool, fixture.loss(), fixture.mixup());
  const double loss = step.run(batch, fixture.draw(0), fixture.dropout(fixture.step()));
  EXPECT_NEAR(loss / fixture.values("loss", 0, 1).front(), 1.0, 1e-5);
  double most = 0.0;
  for (const auto& view : fixture.pulse().parameters().views()) {
    most = std::max(most, largest(fixture.gradient(view)));
  }
  for (const auto& view : fixture.pulse().parameters().views()) {
    const auto theirs = fixture.gradient(view);
    expect_close(step.gradients().subspan(view.offset, view.shape.count()), theirs,
                 std::max(1e-4 * largest(theirs), 1e-6 * most), view.name);
    if (view.is_learned) continue;
    const auto after = fixture.values("after/" + view.name, 0, view.shape.count());
    const auto ours = fixture.pulse().parameters().weights().subspan(view.offset, after.size());
    expect_close(ours, after, 1e-5 * largest(after), view.name + " after the step");
  }
}

}  // namespace pulsecast::train::testing
