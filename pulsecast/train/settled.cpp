#include "pulsecast/train/settled.h"

#include <optional>
#include <string>

namespace pulsecast::train {
namespace {

std::size_t size_from(std::int64_t value) { return static_cast<std::size_t>(value); }

}  // namespace

model::BackboneSizes backbone_sizes(const ModelSettings& given) {
  model::BackboneSizes sizes;
  const auto take = [](std::size_t& size, const std::optional<std::int64_t>& own) {
    if (own) size = size_from(*own);
  };
  take(sizes.width, given.width);
  take(sizes.heads, given.heads);
  take(sizes.layers, given.layers);
  take(sizes.feed_forward, given.feed_forward);
  take(sizes.patch, given.backbone_patch);
  sizes.stride = size_from(given.backbone_stride);
  sizes.moving_average = size_from(given.moving_average);
  take(sizes.top_periods, given.top_periods);
  take(sizes.kernel, given.backbone_kernel);
  take(sizes.calendar_shrink, given.calendar_shrink);
  take(sizes.graph_channels, given.graph_channels);
  take(sizes.skip_channels, given.skip_channels);
  if (given.periods_of) sizes.periods_of = *given.periods_of;
  take(sizes.routers, given.routers);
  take(sizes.cycle, given.backbone_cycle);
  if (given.frequency_share) sizes.frequency_share = static_cast<float>(*given.frequency_share);
  sizes.dropout = static_cast<float>(*given.backbone_dropout);
  return sizes;
}

Settings settled(Settings settings, const Plan& plan, const Series& series) {
  const auto number = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  DataSettings& data = settings.data;
  data.lookback = std::to_string(plan.shape.lookback);
  data.horizon = std::to_string(plan.shape.horizon);
  data.panel = plan.is_panel() ? Panel::kSeries : Panel::kChannels;
  data.period = plan.calendar.period;
  data.time_features.clear();
  for (const CalendarFeature feature : plan.calendar.features) {
    if (!is_holiday_feature(feature)) data.time_features.emplace_back(name(feature));
  }
  if (!data.time_zone && !series.zone.is_utc()) data.time_zone = series.zone.name();
  if (plan.shape.anchor) {
    settings.model.codebook_rows = number(plan.shape.codebook_rows);
    settings.model.patch = number(plan.shape.patch);
    settings.model.router_width = number(plan.shape.router_width);
    settings.model.time_kernel = number(plan.shape.time_kernel);
  }
  settings.training.batch = number(plan.batch);
  settings.training.epoch_steps = number(plan.epoch_steps);
  return settings;
}

}  // namespace pulsecast::train
