// Softmax by its formula, in double.
#pragma once

#include <cstddef>

namespace pulsecast::kernels::reference {

void softmax(std::size_t rows, std::size_t width, const float* x, float* y);

}  // namespace pulsecast::kernels::reference
