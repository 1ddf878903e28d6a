// Forecasts as CSV.
#pragma once

#include <string>

#include "pulsecast/forecast/channel_forecast.h"

namespace pulsecast {

// A row per channel and step: unique_id,ds,cutoff,yhat,status and, with components,
// anchor,residual,scale. Stamps are of the zone's wall clock, in ISO 8601 with the offset where the
// zone is not UTC, so that the repeated hour stays two.
// Values have the digits that tell them apart on the channel's scale (value_text.h).
std::string to_long_csv(const SeriesForecast& forecast, bool with_components);

// A row per step, a column per channel: ds,NAME,NAME,...
std::string to_wide_csv(const SeriesForecast& forecast);

}  // namespace pulsecast
