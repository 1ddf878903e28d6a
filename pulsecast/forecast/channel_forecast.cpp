#include "pulsecast/forecast/channel_forecast.h"

#include <algorithm>

namespace pulsecast {

using Status = ChannelForecast::Status;

const char* name(Status status) {
  switch (status) {
    case Status::kOk:
      return "ok";
    case Status::kSeasonalNaive:
      return "seasonal_naive";
    case Status::kLevel:
      return "level";
    case Status::kNewSeries:
      return "new_series";
    case Status::kShortHistory:
      return "short_history";
    case Status::kNewGroup:
      return "new_group";
    case Status::kEnded:
      return "ended";
  }
  return "";
}

bool SeriesForecast::is_whole() const {
  return std::ranges::all_of(
      channels, [](const ChannelForecast& channel) { return channel.status == Status::kOk; });
}

void hold(ChannelForecast& channel, const ForecastOptions& options) {
  if (!options.min && !options.max) return;
  const auto hold_all = [&](std::vector<double>& values) {
    for (double& value : values) {
      if (options.min) value = std::max(value, *options.min);
      if (options.max) value = std::min(value, *options.max);
    }
  };
  hold_all(channel.values);
  for (ForecastRange& range : channel.ranges) {
    hold_all(range.low);
    hold_all(range.high);
  }
  for (ForecastQuantile& quantile : channel.quantiles) hold_all(quantile.values);
}

}  // namespace pulsecast
