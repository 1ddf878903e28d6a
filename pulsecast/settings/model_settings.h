// What the model is made of.
#pragma once

#include <cstdint>
#include <optional>

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
  kCfpt,
  kMsgNet,
  kCrossformer,
  kLinear,
  kChannelLinear,
};
// PULSE with a backbone inside, or one of the backbones alone: the kinds after the first are those
// of BackboneKind, in its order.
enum class ModelKind { kPulse };
// Whose spectrum msgnet takes its periods from.
enum class PeriodSource { kSample, kBatch };
// How columns that are known in advance reach a forecast.
enum class KnownAs { kEffects, kFeatures, kBoth };
enum class CompanionKind { kNone, kRidge };
enum class CodebookOrder { kReference, kCalendar };

// Member initialisers are the defaults; model_declaration.cpp says what each one means. What is
// unset depends on other settings (train/completion.h) or is chosen from the data (train/plan.h).
struct ModelSettings {
  ModelKind model = ModelKind::kPulse;
  BackboneKind backbone = BackboneKind::kMlp;
  std::int64_t hidden = 512;
  std::optional<std::int64_t> width;
  std::optional<std::int64_t> heads;
  std::optional<std::int64_t> layers;
  std::optional<std::int64_t> feed_forward;
  std::optional<std::int64_t> backbone_patch;
  std::int64_t backbone_stride = 8;
  std::int64_t moving_average = 25;
  std::optional<std::int64_t> top_periods;
  std::optional<std::int64_t> backbone_kernel;
  std::optional<std::int64_t> calendar_shrink;
  std::optional<double> frequency_share;
  std::optional<std::int64_t> graph_channels;
  std::optional<std::int64_t> skip_channels;
  std::optional<PeriodSource> periods_of;
  std::optional<std::int64_t> routers;
  std::optional<std::int64_t> backbone_cycle;
  std::optional<double> backbone_dropout;

  bool anchor = true;
  std::optional<std::int64_t> codebook_rows;
  std::optional<CodebookOrder> codebook_order;
  std::optional<std::int64_t> time_kernel;
  std::optional<std::int64_t> time_shrink_a;
  std::optional<std::int64_t> time_shrink_b;
  std::optional<std::int64_t> time_width_min;

  bool router = true;
  std::optional<std::int64_t> patch;
  std::optional<std::int64_t> router_width;
  double dropout = 0.1;

  KnownAs known_as = KnownAs::kEffects;
  std::optional<CompanionKind> companion;
};

constexpr ModelKind alone(BackboneKind backbone) {
  return static_cast<ModelKind>(1 + static_cast<int>(backbone));
}
// None where it is PULSE.
constexpr std::optional<BackboneKind> backbone_alone(ModelKind model) {
  if (model == ModelKind::kPulse) return std::nullopt;
  return static_cast<BackboneKind>(static_cast<int>(model) - 1);
}

}  // namespace pulsecast
