// Moments of maps that read the columns of the past beside a channel's history.
#pragma once

#include <cstddef>
#include <span>

#include "pulsecast/data/windows/windows.h"
#include "pulsecast/train/window_moments.h"

namespace pulsecast::train {

// As channel_moments(), of x that is a channel's history and then the newest `steps` of each column
// of the past, (T + P * steps), each without its mean over the look-back.
WindowMoments past_moments(const Windows& windows, std::size_t c, std::size_t lookback,
                           std::size_t steps, std::span<const double> cycle);

}  // namespace pulsecast::train
