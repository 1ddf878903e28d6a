// A value that is not there, in every column of numbers.
#pragma once

#include <limits>

namespace pulsecast {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

}  // namespace pulsecast
