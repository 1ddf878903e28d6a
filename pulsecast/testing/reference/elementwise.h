// The one pass of elementwise.h whose sums have an order, here in double.
#pragma once

#include <cstddef>

namespace pulsecast::kernels::reference {

void multiply_and_column_sums(std::size_t rows, std::size_t columns, const float* a, const float* b,
                              float* product, bool accumulate, float* sums);

}  // namespace pulsecast::kernels::reference
