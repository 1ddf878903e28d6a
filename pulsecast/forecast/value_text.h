// A forecast value as text.
#pragma once

#include <string>

#include "pulsecast/forecast/channel_forecast.h"

namespace pulsecast {

// Appends `value` of the channel with as many digits as tell it from its neighbours in float32 on
// the channel's own scale, and no more: 123613728.73 keeps its pence, and 0.1 is no
// 0.10000000149. Values that no model computed are written so that they read back as they are.
void append_value(std::string& text, const ChannelForecast& channel, double value);

}  // namespace pulsecast
