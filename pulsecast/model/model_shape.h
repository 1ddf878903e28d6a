// The sizes and switches of a model: all that its weights' shapes and its computation depend on.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>

#include "pulsecast/settings/model_settings.h"

namespace pulsecast::model {

// Sizes inside a backbone. Each reads those that it has: see its file in backbones/.
struct BackboneSizes {
  std::size_t width = 128;  // of a token
  std::size_t heads = 8;    // of attention; divides the width
  std::size_t layers = 1;
  std::size_t feed_forward = 256;  // inner width of a layer
  std::size_t patch = 16;
  std::size_t stride = 8;           // from patch to patch, at most a patch
  std::size_t moving_average = 25;  // odd
  std::size_t top_periods = 5;
  std::size_t kernel = 3;           // of a convolution
  std::size_t calendar_shrink = 1;  // channels a feature of the calendar
  float frequency_share = 0.5f;  // of the forecast, from the spectrum; the rest is the calendar's
  std::size_t graph_channels = 32;  // inside a graph convolution,
  std::size_t skip_channels = 32;   // and as it comes out
  PeriodSource periods_of = PeriodSource::kSample;
  std::size_t routers = 3;  // a segment
  std::size_t cycle = 0;    // that sparsetsf takes apart; 0: the period
  float dropout = 0.1f;

  friend bool operator==(const BackboneSizes&, const BackboneSizes&) = default;
};

struct ModelShape {
  std::size_t lookback = 0;  // T
  std::size_t horizon = 0;   // H
  std::size_t channels = 0;  // C, the targets
  std::size_t features = 0;  // F, calendar features per step, known columns included
  std::size_t past = 0;      // P, columns seen up to now only that the backbone reads
  std::size_t period = 1;    // W

  BackboneKind backbone = BackboneKind::kMlp;
  bool alone = false;  // the backbone with its own normalisation, not in PULSE: there is no anchor
  std::size_t hidden = 512;
  BackboneSizes sizes = {};

  bool anchor = true;
  CodebookOrder codebook_order = CodebookOrder::kReference;
  std::size_t codebook_rows = 1;  // L
  std::size_t time_kernel = 1;    // k
  std::size_t time_width_a = 1;   // C/a
  std::size_t time_width_b = 1;   // C/b

  bool router = true;             // needs the anchor
  std::size_t patch = 1;          // P
  std::size_t router_width = 16;  // d
  float dropout = 0.1f;

  bool companion = false;  // a linear map shares in the forecast; not of a backbone alone

  std::size_t history_patches() const { return (lookback + patch - 1) / patch; }  // N_x
  std::size_t future_patches() const { return (horizon + patch - 1) / patch; }    // N_y
  // The newest steps of each column of the past that a linear map reads: of a few columns the whole
  // look-back.
  std::size_t past_steps() const;

  friend bool operator==(const ModelShape&, const ModelShape&) = default;
};

// visit("lookback", shape.lookback) for every field, by the name that it has in a model file:
// whoever writes or reads a shape walks this list. The backbone's sizes are a field with fields of
// its own.
template <typename Shape, typename Visit>
requires std::same_as<std::remove_const_t<Shape>, ModelShape>
void visit_fields(Shape& shape, Visit&& visit) {
  visit("lookback", shape.lookback);
  visit("horizon", shape.horizon);
  visit("channels", shape.channels);
  visit("features", shape.features);
  visit("past", shape.past);
  visit("period", shape.period);
  visit("backbone", shape.backbone);
  visit("alone", shape.alone);
  visit("hidden", shape.hidden);
  visit("backbone_sizes", shape.sizes);
  visit("anchor", shape.anchor);
  visit("codebook_order", shape.codebook_order);
  visit("codebook_rows", shape.codebook_rows);
  visit("time_kernel", shape.time_kernel);
  visit("time_width_a", shape.time_width_a);
  visit("time_width_b", shape.time_width_b);
  visit("router", shape.router);
  visit("patch", shape.patch);
  visit("router_width", shape.router_width);
  visit("dropout", shape.dropout);
  visit("companion", shape.companion);
}

template <typename Sizes, typename Visit>
requires std::same_as<std::remove_const_t<Sizes>, BackboneSizes>
void visit_fields(Sizes& sizes, Visit&& visit) {
  visit("width", sizes.width);
  visit("heads", sizes.heads);
  visit("layers", sizes.layers);
  visit("feed_forward", sizes.feed_forward);
  visit("patch", sizes.patch);
  visit("stride", sizes.stride);
  visit("moving_average", sizes.moving_average);
  visit("top_periods", sizes.top_periods);
  visit("kernel", sizes.kernel);
  visit("calendar_shrink", sizes.calendar_shrink);
  visit("frequency_share", sizes.frequency_share);
  visit("graph_channels", sizes.graph_channels);
  visit("skip_channels", sizes.skip_channels);
  visit("periods_of", sizes.periods_of);
  visit("routers", sizes.routers);
  visit("cycle", sizes.cycle);
  visit("dropout", sizes.dropout);
}

// "PULSE with mlp", or "dlinear" where it is alone.
std::string model_title(const ModelShape& shape);

// Whether a backbone can read columns that are seen up to now only (BackboneContext::past_rows).
bool reads_past(BackboneKind backbone);

// Throws Error(kUsage) that names the size that is out of range.
void require_valid(const ModelShape& shape);

}  // namespace pulsecast::model
