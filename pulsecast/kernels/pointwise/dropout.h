// Dropout: each value is multiplied by zero with a probability, else by what keeps the mean.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pulsecast/base/random.h"

namespace pulsecast::kernels {

// x (rows, width) -> y = x * scales, and the scales: row r is random::dropout_scale of first_row +
// r. The rate is above 0 and below 1.
void dropout(std::size_t rows, std::size_t width, const random::Stream& stream, float rate,
             std::uint64_t first_row, const float* x, float* y, float* scales);

}  // namespace pulsecast::kernels
