#include "pulsecast/testing/reference/elementwise.h"

namespace pulsecast::kernels::reference {

void multiply_and_column_sums(std::size_t rows, std::size_t columns, const float* a, const float* b,
                              float* product, bool accumulate, float* sums) {
  for (std::size_t j = 0; j < columns; ++j) {
    double total = accumulate ? sums[j] : 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t i = row * columns + j;
      product[i] = a[i] * b[i];
      total += product[i];
    }
    sums[j] = static_cast<float>(total);
  }
}

}  // namespace pulsecast::kernels::reference
