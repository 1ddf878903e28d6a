#include "pulsecast/settings/model_settings.h"

namespace pulsecast {
namespace {

constexpr std::int64_t kMostSize = 100000;
constexpr std::int64_t kMostWidth = 8192;

Declaration<ModelSettings> declare_model() {
  using S = ModelSettings;
  return Declaration<S>("model")
      .group("Backbone")
      .add("backbone", &S::backbone, "what forecasts the normalised history")
      .add("hidden", &S::hidden, {1, 65536}, "width of the hidden layer of the mlp")
      .group("Phase anchor")
      .add("anchor", &S::anchor,
           "split each window into a phase anchor and a residual; without it the residual is all")
      .add("codebook-rows", &S::codebook_rows, {1, kMostSize}, "rows of the learned codebook",
           Unset{"the period, or its largest divisor up to 96"})
      .add("codebook-order", &S::codebook_order, "which row of the codebook a step reads")
      .add("time-kernel", &S::time_kernel, {1, 99}, "kernel of the time encoders' convolution",
           Unset{"5"})
      .add("time-shrink-a", &S::time_shrink_a, {1, kMostSize},
           "first width of the time encoders: channels divided by this",
           Unset{"the channels, at most 64"})
      .add("time-shrink-b", &S::time_shrink_b, {1, kMostSize},
           "second width of the time encoders: channels divided by this",
           Unset{"the channels, at most 64"})
      .add("time-width-min", &S::time_width_min, {1, kMostWidth},
           "least width of the time encoders, whatever the division gives")
      .group("Phase router")
      .add("router", &S::router, "generate the anchor of the future from the forecast and the past")
      .add("patch", &S::patch, {1, kMostSize}, "steps of a patch",
           Unset{"the period's largest divisor up to 24"})
      .add("router-width", &S::router_width, {1, kMostWidth}, "width of the router's tokens",
           Unset{"16"})
      .add("dropout", &S::dropout, {0.0, 0.9}, "share of attention weights dropped in training");
}

}  // namespace

const Declaration<ModelSettings>& model_settings() {
  static const Declaration<ModelSettings> declaration = declare_model();
  return declaration;
}

}  // namespace pulsecast
