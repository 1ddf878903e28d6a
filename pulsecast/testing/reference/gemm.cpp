#include "pulsecast/testing/reference/gemm.h"

namespace pulsecast::kernels::reference {

void gemm(Op op_a, Op op_b, std::size_t m, std::size_t n, std::size_t k, float alpha,
          const float* a, std::size_t lda, const float* b, std::size_t ldb, float beta, float* c,
          std::size_t ldc) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0.0;
      for (std::size_t p = 0; p < k; ++p) {
        const double left = op_a == Op::kNormal ? a[i * lda + p] : a[p * lda + i];
        const double right = op_b == Op::kNormal ? b[p * ldb + j] : b[j * ldb + p];
        sum += left * right;
      }
      const double before = beta == 0.0f ? 0.0 : beta * static_cast<double>(c[i * ldc + j]);
      c[i * ldc + j] = static_cast<float>(alpha * sum + before);
    }
  }
}

}  // namespace pulsecast::kernels::reference
