// Batch norm column by column, as the formula stands.
#pragma once

#include <cstddef>

namespace pulsecast::kernels::reference {

void batch_norm(std::size_t rows, std::size_t width, const float* x, const float* gamma,
                const float* beta, float* y);

}  // namespace pulsecast::kernels::reference
