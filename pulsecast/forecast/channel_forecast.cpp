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
    case Status::kEnded:
      return "ended";
  }
  return "";
}

bool SeriesForecast::is_whole() const {
  return std::ranges::all_of(
      channels, [](const ChannelForecast& channel) { return channel.status == Status::kOk; });
}

}  // namespace pulsecast
