// The autocorrelation that the channels of a series have on average.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pulsecast {

// For lags 0 .. lags-1, the mean over channels of
//   r(k) = mean of x[t] x[t+k] over the pairs without a gap / mean of x[t]^2,
// where x is the channel with its straight-line trend taken out. Channels that are constant or
// empty have none and are left out; no channel left gives an empty result. Each channel counts the
// same, whatever its scale. Lags with few pairs (a channel that is mostly gaps) shrink to zero.
//
// All channels have the same length n; lags <= n. The work is a transform of length 2n or so for
// each channel, and one back for all channels without gaps together.
std::vector<double> mean_autocorrelation(std::span<const std::span<const double>> channels,
                                         std::size_t lags);

}  // namespace pulsecast
