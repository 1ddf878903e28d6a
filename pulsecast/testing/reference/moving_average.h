// The moving average, every window summed anew, in double.
#pragma once

#include <cstddef>

namespace pulsecast::kernels::reference {

void moving_average(std::size_t rows, std::size_t length, std::size_t window, const float* x,
                    float* y);

}  // namespace pulsecast::kernels::reference
