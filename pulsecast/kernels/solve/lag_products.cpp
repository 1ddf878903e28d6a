#include "pulsecast/kernels/solve/lag_products.h"

#include <algorithm>

namespace pulsecast::kernels {
namespace {

// Values that stay in the nearest cache while every lag goes over them.
constexpr std::size_t kBlock = 2048;

// Eight sums, in a fixed order: without them the additions wait for each other.
double dot_of_floats(std::size_t count, const float* __restrict a, const float* __restrict b) {
  constexpr std::size_t kSums = 8;
  double sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (std::size_t j = 0; j < kSums; ++j) {
      sums[j] += static_cast<double>(a[i + j]) * static_cast<double>(b[i + j]);
    }
  }
  double sum =
      ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  for (; i < count; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

}  // namespace

void lag_products(std::size_t n, std::size_t lags, const float* values, double* out) {
  std::fill_n(out, lags, 0.0);
  for (std::size_t first = 0; first < n; first += kBlock) {
    const std::size_t count = std::min(kBlock, n - first);
    for (std::size_t lag = 0; lag < lags; ++lag) {
      out[lag] += dot_of_floats(count, values + first, values + first + lag);
    }
  }
}

}  // namespace pulsecast::kernels
