// For tests of metrics: short series with holes.
#pragma once

#include <limits>
#include <vector>

namespace pulsecast::testing {

inline constexpr float kGap = std::numeric_limits<float>::quiet_NaN();

using Values = std::vector<float>;

}  // namespace pulsecast::testing
