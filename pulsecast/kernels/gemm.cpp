#include "pulsecast/kernels/gemm.h"

#include <cblas.h>

#include "pulsecast/base/profile.h"

namespace pulsecast::kernels {
namespace {

CBLAS_TRANSPOSE cblas(Op op) { return op == Op::kNormal ? CblasNoTrans : CblasTrans; }

}  // namespace

void gemm(Op op_a, Op op_b, std::size_t m, std::size_t n, std::size_t k, float alpha,
          const float* a, std::size_t lda, const float* b, std::size_t ldb, float beta, float* c,
          std::size_t ldc) {
  const profile::Scope scope("matrix product", 2.0 * static_cast<double>(m * n * k));
  if (m == 0 || n == 0) return;
  const auto as_int = [](std::size_t value) { return static_cast<int>(value); };
  cblas_sgemm(CblasRowMajor, cblas(op_a), cblas(op_b), as_int(m), as_int(n), as_int(k), alpha, a,
              as_int(lda), b, as_int(ldb), beta, c, as_int(ldc));
}

namespace reference {

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

}  // namespace reference
}  // namespace pulsecast::kernels
