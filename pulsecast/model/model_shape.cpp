#include "pulsecast/model/model_shape.h"

#include <algorithm>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/settings/model_declaration.h"

namespace pulsecast::model {
namespace {

void require_at_least(std::size_t least, std::size_t value, const char* what) {
  if (value >= least) return;
  throw_error(ErrorKind::kUsage, "model", "{} must be at least {}, not {}", what, least, value);
}

void require_below(std::size_t most, std::size_t value, const char* what) {
  if (value <= most) return;
  throw_error(ErrorKind::kUsage, "model", "{} must be at most {}, not {}", what, most, value);
}

void require_rate(float rate, const char* what) {
  if (rate >= 0.0f && rate < 1.0f) return;
  throw_error(ErrorKind::kUsage, "model", "{} must be at least 0 and less than 1, not {}", what,
              rate);
}

void require_valid_sizes(const BackboneSizes& sizes) {
  require_at_least(1, sizes.width, "the backbone's width");
  require_at_least(1, sizes.heads, "the number of heads");
  require_at_least(1, sizes.layers, "the number of layers");
  require_below(64, sizes.layers, "the number of layers");
  require_at_least(1, sizes.feed_forward, "the feed-forward width");
  require_at_least(1, sizes.patch, "the backbone's patch");
  require_at_least(1, sizes.stride, "the backbone's stride");
  require_below(sizes.patch, sizes.stride, "the backbone's stride");
  require_at_least(1, sizes.top_periods, "the number of periods");
  require_below(64, sizes.top_periods, "the number of periods");
  if (sizes.moving_average % 2 == 0) {
    throw_error(ErrorKind::kUsage, "model",
                "the window of the moving average must be an odd number, so that it has a middle, "
                "not {}",
                sizes.moving_average);
  }
  require_at_least(1, sizes.kernel, "the backbone's kernel");
  require_below(99, sizes.kernel, "the backbone's kernel");
  require_at_least(1, sizes.calendar_shrink, "the shrinking of the calendar");
  if (!(sizes.frequency_share >= 0.0f && sizes.frequency_share <= 1.0f)) {
    throw_error(ErrorKind::kUsage, "model", "the spectrum's share must be from 0 to 1, not {}",
                sizes.frequency_share);
  }
  require_at_least(1, sizes.graph_channels, "the number of graph channels");
  require_at_least(1, sizes.skip_channels, "the number of skip channels");
  require_at_least(1, sizes.routers, "the number of routers");
  require_rate(sizes.dropout, "the backbone's dropout");
}

}  // namespace

std::string model_title(const ModelShape& shape) {
  const std::string name(choice_name(shape.backbone));
  return shape.alone ? name : "PULSE with " + name;
}

bool reads_past(BackboneKind backbone) {
  return backbone == BackboneKind::kITransformer || backbone == BackboneKind::kTimeXer ||
         backbone == BackboneKind::kChannelLinear;
}

std::size_t ModelShape::past_steps() const {
  constexpr std::size_t kMostInputs = 336;  // of all columns
  if (past == 0) return 0;
  return std::min(lookback, std::max<std::size_t>(1, kMostInputs / past));
}

void require_valid(const ModelShape& shape) {
  require_at_least(2, shape.lookback, "the look-back");  // the variance is unbiased
  require_at_least(1, shape.horizon, "the horizon");
  require_at_least(1, shape.channels, "the number of target channels");
  require_at_least(1, shape.period, "the period");
  require_at_least(1, shape.hidden, "the hidden width");
  require_valid_sizes(shape.sizes);
  if (shape.past > 0 && !reads_past(shape.backbone)) {
    throw_error(ErrorKind::kUsage, "model", "{} reads no columns that are seen up to now only",
                choice_name(shape.backbone));
  }
  if (shape.alone && shape.anchor) {
    throw_error(ErrorKind::kUsage, "model",
                "{} alone has no phase anchor; choose PULSE with it as the backbone",
                choice_name(shape.backbone));
  }
  if (shape.alone && shape.companion) {
    throw_error(ErrorKind::kUsage, "model",
                "{} alone has no companion; choose PULSE with it as the backbone",
                choice_name(shape.backbone));
  }
  if (!shape.anchor) return;
  require_at_least(1, shape.features, "the number of calendar features and known columns");
  require_at_least(1, shape.codebook_rows, "the number of codebook rows");
  if (shape.time_kernel % 2 == 0) {
    throw_error(ErrorKind::kUsage, "model",
                "the time kernel must be an odd number, so that it has a middle, not {}",
                shape.time_kernel);
  }
  require_at_least(1, shape.time_width_a, "the first width of the time encoders");
  require_at_least(1, shape.time_width_b, "the second width of the time encoders");
  if (!shape.router) return;
  require_at_least(1, shape.patch, "the patch");
  require_at_least(1, shape.router_width, "the router's width");
  require_rate(shape.dropout, "the dropout");
}

}  // namespace pulsecast::model
