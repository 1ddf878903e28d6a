// The errors of one window, summed over its channels and steps.
#pragma once

#include <cstddef>

namespace pulsecast {

struct WindowError {
  double squared = 0.0;
  double absolute = 0.0;
  std::size_t count = 0;  // of values summed
};

// forecast and truth (count).
WindowError window_error(std::size_t count, const float* forecast, const float* truth);

}  // namespace pulsecast
