#include "pulsecast/settings/model_declaration.h"

#include <fmt/format.h>

#include "pulsecast/settings/usual.h"

namespace pulsecast {
namespace {

constexpr std::int64_t kMostUnits = 100000;
constexpr std::int64_t kMostWidth = 8192;
constexpr std::int64_t kMostLayers = 64;

Declaration<ModelSettings> declare_model() {
  using S = ModelSettings;
  return Declaration<S>("model")
      .group("Backbone")
      .add("model", &S::model,
           "PULSE, or a backbone alone with its own normalisation, trained as it was published "
           "unless told otherwise")
      .add(
          "backbone", &S::backbone,
          "what forecasts the normalised history inside PULSE; itransformer, patchtst and timesnet "
          "are trained in smaller steps by default")
      .add("hidden", &S::hidden, {1, 65536}, "width of the hidden layer of the mlp")
      .add("width", &S::width, {1, kMostWidth}, "width of the tokens of backbones that have some",
           Unset{"as published"})
      .add("heads", &S::heads, {1, 1024}, "heads of attention, a divisor of the width",
           Unset{"as published"})
      .add("layers", &S::layers, {1, kMostLayers}, "layers of the backbone", Unset{"as published"})
      .add("feed-forward", &S::feed_forward, {1, 65536}, "inner width of a layer",
           Unset{"as published"})
      .add("backbone-patch", &S::backbone_patch, {1, kMostUnits},
           "steps of a patch of patchtst and timexer, of the calendar of cfpt, of a segment of "
           "crossformer",
           Unset{"as published"})
      .add("backbone-stride", &S::backbone_stride, {1, kMostUnits},
           "steps from one patch of patchtst to the next, at most a patch")
      .add("moving-average", &S::moving_average, {1, kMostUnits},
           "window of the trend of dlinear, an odd number")
      .add("top-periods", &S::top_periods, {1, 64},
           "periods that timesnet folds the series by, and msgnet cuts it by",
           Unset{"as published"})
      .add("backbone-kernel", &S::backbone_kernel, {1, 99},
           "kernel of the convolution over the calendar of cfpt", Unset{"as published"})
      .add("calendar-shrink", &S::calendar_shrink, {1, kMostUnits},
           "first width of the calendar of cfpt: channels divided by this, 4 at least",
           Unset{"as published"})
      .add("frequency-share", &S::frequency_share, {0.0, 1.0},
           "share of the forecast of cfpt that is the spectrum's; the rest is the calendar's",
           Unset{"as published"})
      .add("graph-channels", &S::graph_channels, {1, kMostWidth},
           "channels inside the graph convolutions of msgnet", Unset{"as published"})
      .add("skip-channels", &S::skip_channels, {1, kMostWidth},
           "channels that come out of the graph convolutions of msgnet", Unset{"32"})
      .add("periods-of", &S::periods_of, "whose spectrum msgnet takes its periods from",
           Unset{"sample"})
      .add("routers", &S::routers, {1, 1024},
           "routers by which the channels of a segment of crossformer meet", Unset{"as published"})
      .add("backbone-cycle", &S::backbone_cycle, {1, kMostUnits},
           "steps of the cycle that sparsetsf takes apart", Unset{"as published, else the period"})
      .add("backbone-dropout", &S::backbone_dropout, {0.0, 0.9},
           "share of values dropped in training inside the backbone", Unset{"as published"})
      .group("Phase anchor")
      .add("anchor", &S::anchor,
           "split each window into a phase anchor and a residual; without it the residual is all")
      .add("codebook-rows", &S::codebook_rows, {1, kMostUnits}, "rows of the learned codebook",
           Unset{"the period, or its largest divisor up to 96"})
      .add("codebook-order", &S::codebook_order, "which row of the codebook a step reads",
           Unset{std::string(choice_name(usual::kCodebookOrder)) + ", reference with a recipe"})
      .add("time-kernel", &S::time_kernel, {1, 99}, "kernel of the time encoders' convolution",
           Unset{"5"})
      .add("time-shrink-a", &S::time_shrink_a, {1, kMostUnits},
           "first width of the time encoders: channels divided by this",
           Unset{"the channels, at most 64"})
      .add("time-shrink-b", &S::time_shrink_b, {1, kMostUnits},
           "second width of the time encoders: channels divided by this",
           Unset{"the channels, at most 64"})
      .add("time-width-min", &S::time_width_min, {1, kMostWidth},
           "least width of the time encoders, whatever the division gives",
           Unset{fmt::format("{}, 1 with a recipe", usual::kTimeWidthMin)})
      .group("Phase router")
      .add("router", &S::router, "generate the anchor of the future from the forecast and the past")
      .add("patch", &S::patch, {1, kMostUnits}, "steps of a patch",
           Unset{"the period's largest divisor up to 24"})
      .add("router-width", &S::router_width, {1, kMostWidth}, "width of the router's tokens",
           Unset{"16"})
      .add("dropout", &S::dropout, {0.0, 0.9}, "share of attention weights dropped in training")
      .group("Beside the model")
      .add("known-as", &S::known_as, "how columns known in advance reach the forecast")
      .add("companion", &S::companion, "what shares in the forecasts of PULSE",
           Unset{"ridge; none with a recipe, on a dataset of the paper, or with a backbone alone"});
}

}  // namespace

const Declaration<ModelSettings>& model_settings() {
  static const Declaration<ModelSettings> declaration = declare_model();
  return declaration;
}

}  // namespace pulsecast
