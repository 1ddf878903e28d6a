// What the model is made of.
#pragma once

#include <cstdint>
#include <optional>

#include "pulsecast/settings/choices.h"
#include "pulsecast/settings/declaration.h"

namespace pulsecast {

enum class BackboneKind {
  kMlp,
  kDLinear,
  kSparseTsf,
  kCycleNet,
  kITransformer,
  kPatchTst,
  kTimeXer,
  kTimesNet,
};
// PULSE with a backbone inside, or one of the backbones alone: the kinds after the first are those
// of BackboneKind, in its order.
enum class ModelKind { kPulse };
enum class CodebookOrder { kReference, kCalendar };

// Member initialisers are the defaults; model_settings.cpp says what each one means. What is unset
// is chosen from the data (train/plan.h).
struct ModelSettings {
  ModelKind model = ModelKind::kPulse;
  BackboneKind backbone = BackboneKind::kMlp;
  std::int64_t hidden = 512;
  std::optional<std::int64_t> width;
  std::optional<std::int64_t> heads;
  std::optional<std::int64_t> layers;
  std::optional<std::int64_t> feed_forward;
  std::int64_t backbone_patch = 16;
  std::int64_t backbone_stride = 8;
  std::int64_t moving_average = 25;
  std::int64_t top_periods = 5;
  double backbone_dropout = 0.1;

  bool anchor = true;
  std::optional<std::int64_t> codebook_rows;
  CodebookOrder codebook_order = CodebookOrder::kCalendar;
  std::optional<std::int64_t> time_kernel;
  std::optional<std::int64_t> time_shrink_a;
  std::optional<std::int64_t> time_shrink_b;
  std::int64_t time_width_min = 8;

  bool router = true;
  std::optional<std::int64_t> patch;
  std::optional<std::int64_t> router_width;
  double dropout = 0.1;
};

const Declaration<ModelSettings>& model_settings();

template <>
inline constexpr std::array kChoices<BackboneKind>{
    Choice{BackboneKind::kMlp, "mlp",
           "two linear layers with GELU between, shared by all channels"},
    Choice{BackboneKind::kDLinear, "dlinear", "a linear map of the trend and one of the rest"},
    Choice{BackboneKind::kSparseTsf, "sparsetsf", "a linear map from period to period"},
    Choice{BackboneKind::kCycleNet, "cyclenet",
           "a learned cycle a channel, and a linear map of the rest"},
    Choice{BackboneKind::kITransformer, "itransformer",
           "attention between channels, calendar features among them"},
    Choice{BackboneKind::kPatchTst, "patchtst",
           "attention between overlapping patches of a channel"},
    Choice{BackboneKind::kTimeXer, "timexer",
           "attention between patches, and from each channel to all"},
    Choice{BackboneKind::kTimesNet, "timesnet", "2-D convolutions over the strongest periods"}};

constexpr ModelKind alone(BackboneKind backbone) {
  return static_cast<ModelKind>(1 + static_cast<int>(backbone));
}
// None where it is PULSE.
constexpr std::optional<BackboneKind> backbone_alone(ModelKind model) {
  if (model == ModelKind::kPulse) return std::nullopt;
  return static_cast<BackboneKind>(static_cast<int>(model) - 1);
}

template <>
inline constexpr auto kChoices<ModelKind> = [] {
  std::array<Choice<ModelKind>, 1 + kChoices<BackboneKind>.size()> all{};
  all[0] = {ModelKind::kPulse, "pulse", "phase anchor and router around a backbone"};
  for (std::size_t i = 1; i < all.size(); ++i) {
    const auto& backbone = kChoices<BackboneKind>[i - 1];
    all[i] = {alone(backbone.value), backbone.name, "that backbone alone, as published"};
  }
  return all;
}();

template <>
inline constexpr std::array kChoices<CodebookOrder>{
    Choice{CodebookOrder::kReference, "reference",
           "as the paper's authors ran it: backwards in time, moving with the window"},
    Choice{CodebookOrder::kCalendar, "calendar", "one phase reads one row in every window"}};

}  // namespace pulsecast
