#include "pulsecast/model/model_shape.h"

#include "pulsecast/base/error.h"

namespace pulsecast::model {
namespace {

void require_at_least(std::size_t least, std::size_t value, const char* what) {
  if (value >= least) return;
  throw_error(ErrorKind::kUsage, "model", "{} must be at least {}, not {}", what, least, value);
}

}  // namespace

void require_valid(const ModelShape& shape) {
  require_at_least(2, shape.lookback, "the look-back");  // the variance is unbiased
  require_at_least(1, shape.horizon, "the horizon");
  require_at_least(1, shape.channels, "the number of target channels");
  require_at_least(1, shape.period, "the period");
  require_at_least(1, shape.hidden, "the hidden width");
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
  if (!(shape.dropout >= 0.0f && shape.dropout < 1.0f)) {
    throw_error(ErrorKind::kUsage, "model",
                "the dropout must be at least 0 and less than 1, not {}", shape.dropout);
  }
}

}  // namespace pulsecast::model
