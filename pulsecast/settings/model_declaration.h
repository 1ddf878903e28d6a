// What each member of ModelSettings is called, takes and means, and the words of its choices.
#pragma once

#include <array>

#include "pulsecast/settings/choices.h"
#include "pulsecast/settings/declaration.h"
#include "pulsecast/settings/model_settings.h"

namespace pulsecast {

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
    Choice{BackboneKind::kTimesNet, "timesnet", "2-D convolutions over the strongest periods"},
    Choice{BackboneKind::kCfpt, "cfpt",
           "the low and the high half of the spectrum coupled, and the calendar to come"},
    Choice{BackboneKind::kMsgNet, "msgnet",
           "graph convolutions and attention inside cycles, for each of the strongest periods"},
    Choice{BackboneKind::kCrossformer, "crossformer",
           "attention between segments and between channels, at several scales"},
    Choice{BackboneKind::kLinear, "linear",
           "one linear map, shared by all channels; alone, a ridge"},
    Choice{BackboneKind::kChannelLinear, "channel_linear",
           "a linear map of its own for each channel; alone, ridges drawn towards the shared one"}};

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
inline constexpr std::array kChoices<PeriodSource>{
    Choice{PeriodSource::kSample, "sample", "each window has those of its own history"},
    Choice{PeriodSource::kBatch, "batch",
           "as published, those of the batch in training; in forecasts those of a running mean of "
           "its spectrum"}};

template <>
inline constexpr std::array kChoices<KnownAs>{
    Choice{KnownAs::kEffects, "effects",
           "what they do is found in closed form, taken off the history and put back onto the "
           "forecast: of any model"},
    Choice{KnownAs::kFeatures, "features",
           "they join the calendar features: of models that read those"},
    Choice{KnownAs::kBoth, "both", "their effects are taken off, and they join the features"}};

template <>
inline constexpr std::array kChoices<CompanionKind>{
    Choice{CompanionKind::kNone, "none", "the forecast is the model's own"},
    Choice{CompanionKind::kRidge, "ridge",
           "a linear map, solved in closed form, has the share that validates best"}};

template <>
inline constexpr std::array kChoices<CodebookOrder>{
    Choice{CodebookOrder::kReference, "reference",
           "as the paper's authors ran it: backwards in time, moving with the window"},
    Choice{CodebookOrder::kCalendar, "calendar", "one phase reads one row in every window"}};

}  // namespace pulsecast
