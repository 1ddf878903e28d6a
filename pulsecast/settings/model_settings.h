// What the model is made of.
#pragma once

#include <cstdint>
#include <optional>

#include "pulsecast/settings/choices.h"
#include "pulsecast/settings/declaration.h"

namespace pulsecast {

enum class BackboneKind { kMlp };
enum class CodebookOrder { kReference, kCalendar };

// Member initialisers are the defaults; model_settings.cpp says what each one means. What is unset
// is chosen from the data (train/plan.h).
struct ModelSettings {
  BackboneKind backbone = BackboneKind::kMlp;
  std::int64_t hidden = 512;

  bool anchor = true;
  std::optional<std::int64_t> codebook_rows;
  CodebookOrder codebook_order = CodebookOrder::kReference;
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
inline constexpr std::array kChoices<BackboneKind>{Choice{
    BackboneKind::kMlp, "mlp", "two linear layers with GELU between, shared by all channels"}};

template <>
inline constexpr std::array kChoices<CodebookOrder>{
    Choice{CodebookOrder::kReference, "reference",
           "as the paper's authors ran it: backwards in time, moving with the window"},
    Choice{CodebookOrder::kCalendar, "calendar", "one phase reads one row in every window"}};

}  // namespace pulsecast
