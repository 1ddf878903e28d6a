// A matrix product that a team shares. How it is cut depends on its shape alone.
#pragma once

#include <cstddef>

#include "pulsecast/base/team.h"
#include "pulsecast/kernels/products/gemm.h"

namespace pulsecast::kernels {

// Floats of scratch that the product needs; may be 0.
std::size_t shared_gemm_scratch_floats(const Team& team, std::size_t m, std::size_t n,
                                       std::size_t k);

// C (m, n) = op(A) op(B), or added to C. Matrices are row-major without gaps: A is (m, k) or
// transposed (k, m), B is (k, n) or transposed (n, k).
void shared_gemm(const Team& team, Op op_a, Op op_b, std::size_t m, std::size_t n, std::size_t k,
                 const float* a, const float* b, bool accumulate, float* c, float* scratch);

}  // namespace pulsecast::kernels
