// How values go with those after them.
#pragma once

#include <cstddef>

namespace pulsecast::kernels {

// out (lags): sums over i < n of values[i] * values[i + lag], in double. values (n + lags - 1).
void lag_products(std::size_t n, std::size_t lags, const float* values, double* out);

}  // namespace pulsecast::kernels
