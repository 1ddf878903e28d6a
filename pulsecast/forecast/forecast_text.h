// Forecasts as CSV.
#pragma once

#include <string>

#include "pulsecast/forecast/channel_forecast.h"

namespace pulsecast {

// A row per channel and step: unique_id,ds,cutoff,yhat,status, of ranges yhat_lo_80,yhat_hi_80, of
// quantiles q_0.1, and, with components, anchor,residual,scale,effect. Stamps are of the zone's
// wall clock, in ISO 8601 with the offset where the zone is not UTC, so that the repeated hour
// stays two. Values have the digits that tell them apart on the channel's scale (value_text.h).
std::string to_long_csv(const SeriesForecast& forecast, bool with_components);

// A row per step, a column per channel: ds,NAME,NAME,... and after each its ranges and quantiles:
// NAME_lo_80,NAME_hi_80,NAME_q_0.1.
std::string to_wide_csv(const SeriesForecast& forecast);

}  // namespace pulsecast
