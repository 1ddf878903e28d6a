// Forecasts as a picture: history, forecast and its ranges, a chart a channel.
//
//   write_file("next.svg", forecast_svg(rows, model->forecast(rows)));
#pragma once

#include <cstddef>
#include <string>

#include "pulsecast/forecast/channel_forecast.h"
#include "pulsecast/observations.h"

namespace pulsecast {

// Channels that a picture has at most, one below the other; it says how many there are.
inline constexpr std::size_t kMostPictured = 8;

// SVG with light and dark, text that can be searched; needs no font or library.
std::string forecast_svg(const Observations& rows, const SeriesForecast& forecast);
// PNG in light. Throws Error(kInputOutput) where the system has no cairo.
std::string forecast_png(const Observations& rows, const SeriesForecast& forecast);

}  // namespace pulsecast
