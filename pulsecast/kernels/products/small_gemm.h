// Products of matrices that fit in the first-level cache, where a call to the BLAS would cost more
// than the arithmetic.
#pragma once

#include <cstddef>

#include "pulsecast/kernels/products/gemm.h"

namespace pulsecast::kernels {

// Element (i, k) at data[i * row + k * column].
struct StridedMatrix {
  const float* data;
  std::size_t row;
  std::size_t column;
};

// C (m, n) = A (m, k) B (k, n), or added to C. B and C are row-major without gaps.
void small_gemm(std::size_t m, std::size_t n, std::size_t k, const StridedMatrix& a, const float* b,
                bool accumulate, float* c);

// C (m, n) = op(A) B, or added, all without gaps: by the one above where B is small enough, else by
// the BLAS.
void any_gemm(std::size_t m, std::size_t n, std::size_t k, Op op_a, const float* a, const float* b,
              bool accumulate, float* c);

}  // namespace pulsecast::kernels
