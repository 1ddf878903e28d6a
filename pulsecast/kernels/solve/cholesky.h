// Symmetric positive definite systems of equations, in double: they are small, and badly
// conditioned where columns are alike, as neighbouring steps of a history are.
//
// Sums are made in the same order whatever the vectors, so their width changes no bit.
#pragma once

#include <cstddef>

namespace pulsecast::kernels {

// a (n, n), of which the lower triangle is read, becomes its factor L there: A = L L'. False, and
// `a` in part overwritten, where A is not positive definite to working precision.
bool cholesky(std::size_t n, double* a);

// b (n, m) becomes the x of A x = b; `factor` (n, n) from cholesky().
void cholesky_solve(std::size_t n, std::size_t m, const double* factor, double* b);

// out (n, m) = A b, with A (n, n) whole and b (n, m).
void symmetric_product(std::size_t n, std::size_t m, const double* a, const double* b, double* out);

}  // namespace pulsecast::kernels
