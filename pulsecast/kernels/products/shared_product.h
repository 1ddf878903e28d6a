// A matrix product that a team shares. How it is cut depends on its shape alone; where it is cut
// along k, sums of the parts are added in their order.
#pragma once

#include <cstddef>

#include "pulsecast/base/team.h"
#include "pulsecast/kernels/gradient.h"
#include "pulsecast/kernels/products/matrix_product.h"

namespace pulsecast::kernels {

// Floats of scratch that the product needs; may be 0.
std::size_t shared_product_scratch_floats(const Team& team, std::size_t m, std::size_t n,
                                          std::size_t k);

// C (m, n) = A (m, k) B (k, n), without gaps between its rows.
void shared_product(const Team& team, std::size_t m, std::size_t n, std::size_t k, const Matrix& a,
                    const Matrix& b, Gradient c, float* scratch);

// The same with B packed, and with all that may become of a product's sums. It is not cut along k.
void shared_product(const Team& team, std::size_t m, const Matrix& a, const PackedMatrix& b,
                    const ProductTarget& to);

}  // namespace pulsecast::kernels
