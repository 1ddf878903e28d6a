#include "pulsecast/kernels/solve/cholesky.h"

#include <algorithm>
#include <cmath>

namespace pulsecast::kernels {
namespace {

// to (count) -= factor * from (count). The one inner loop of everything here, which the compiler
// turns into vectors.
void subtract_multiple(std::size_t count, double factor, const double* __restrict from,
                       double* __restrict to) {
  for (std::size_t i = 0; i < count; ++i) to[i] -= factor * from[i];
}

double dot(std::size_t count, const double* __restrict a, const double* __restrict b) {
  // Eight sums, in a fixed order: without them the additions wait for each other.
  constexpr std::size_t kSums = 8;
  double sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (std::size_t j = 0; j < kSums; ++j) sums[j] += a[i + j] * b[i + j];
  }
  double sum =
      ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

bool cholesky(std::size_t n, double* a) {
  for (std::size_t i = 0; i < n; ++i) {
    double* row = a + i * n;
    for (std::size_t j = 0; j < i; ++j) {
      const double* other = a + j * n;
      row[j] = (row[j] - dot(j, row, other)) / other[j];
    }
    const double square = row[i] - dot(i, row, row);
    // Also what is not a number.
    if (!(square > 0.0)) return false;
    row[i] = std::sqrt(square);
  }
  return true;
}

void cholesky_solve(std::size_t n, std::size_t m, const double* factor, double* b) {
  const auto divide = [&](double* row, double by) {
    std::transform(row, row + m, row, [by](double value) { return value / by; });
  };
  for (std::size_t i = 0; i < n; ++i) {
    double* row = b + i * m;
    for (std::size_t j = 0; j < i; ++j) subtract_multiple(m, factor[i * n + j], b + j * m, row);
    divide(row, factor[i * n + i]);
  }
  for (std::size_t i = n; i-- > 0;) {
    double* row = b + i * m;
    for (std::size_t j = i + 1; j < n; ++j) {
      subtract_multiple(m, factor[j * n + i], b + j * m, row);
    }
    divide(row, factor[i * n + i]);
  }
}

}  // namespace pulsecast::kernels
