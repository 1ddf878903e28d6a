// The matrix product, summed in double.
#pragma once

#include "pulsecast/kernels/products/gemm.h"

namespace pulsecast::kernels::reference {

void gemm(Op op_a, Op op_b, std::size_t m, std::size_t n, std::size_t k, float alpha,
          const float* a, std::size_t lda, const float* b, std::size_t ldb, float beta, float* c,
          std::size_t ldc);

}  // namespace pulsecast::kernels::reference
