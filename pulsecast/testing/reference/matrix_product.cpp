#include "pulsecast/testing/reference/matrix_product.h"

#include "pulsecast/testing/reference/gelu.h"

namespace pulsecast::kernels::reference {
namespace {

double element(const Matrix& matrix, std::size_t row, std::size_t column) {
  return matrix
      .data[matrix.is_transposed ? column * matrix.stride + row : row * matrix.stride + column];
}

}  // namespace

void matrix_product(std::size_t m, std::size_t n, std::size_t k, const Matrix& a, const Matrix& b,
                    const ProductTarget& to) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t at = i * to.stride + j;
      double sum = to.accumulate ? to.data[at] : 0.0;
      for (std::size_t p = 0; p < k; ++p) sum += element(a, i, p) * element(b, p, j);
      if (to.bias != nullptr) sum += to.bias[j];
      if (to.slope != nullptr) to.slope[at] = static_cast<float>(gelu_slope(sum));
      to.data[at] = static_cast<float>(to.through_gelu ? gelu(sum) : sum);
    }
  }
}

}  // namespace pulsecast::kernels::reference
