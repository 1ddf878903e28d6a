// The matrix product, summed in double.
#pragma once

#include "pulsecast/kernels/products/matrix_product.h"

namespace pulsecast::kernels::reference {

void matrix_product(std::size_t m, std::size_t n, std::size_t k, const Matrix& a, const Matrix& b,
                    const ProductTarget& to);

}  // namespace pulsecast::kernels::reference
