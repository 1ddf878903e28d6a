// Matrix products, through BLIS. Matrices are row-major.
//
// Every call runs on the calling thread alone: parallelism is ours, over shards or parts of a
// product (shared_gemm.h), so that a result does not depend on how many threads there are.
#pragma once

#include <cstddef>

namespace pulsecast::kernels {

enum class Op { kNormal, kTransposed };

// C (m, n) = alpha * op(A) op(B) + beta * C, op(A) (m, k), op(B) (k, n).
// lda, ldb, ldc: floats from one row to the next of the matrix as it is stored.
void gemm(Op op_a, Op op_b, std::size_t m, std::size_t n, std::size_t k, float alpha,
          const float* a, std::size_t lda, const float* b, std::size_t ldb, float beta, float* c,
          std::size_t ldc);

}  // namespace pulsecast::kernels
