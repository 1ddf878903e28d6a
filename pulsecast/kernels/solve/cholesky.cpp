#include "pulsecast/kernels/solve/cholesky.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/solve/cholesky.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Of a dot product: sums that go on beside each other, as many as the widest vectors need to be
// busy, added by halves in the end.
constexpr std::size_t kSums = 32;
using DoubleTag = hn::CappedTag<double, 8>;
using DoubleVector = hn::Vec<DoubleTag>;

// to (count) += factor * from (count).
HWY_INLINE void add_multiple(std::size_t count, double factor, const double* HWY_RESTRICT from,
                             double* HWY_RESTRICT to) {
  const DoubleTag d;
  const std::size_t lanes = hn::Lanes(d);
  const DoubleVector by = hn::Set(d, factor);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(hn::MulAdd(by, hn::LoadU(d, from + i), hn::LoadU(d, to + i)), d, to + i);
  }
  const hn::CappedTag<double, 1> one;
  for (; i < count; ++i) {
    hn::StoreU(hn::MulAdd(hn::Set(one, factor), hn::LoadU(one, from + i), hn::LoadU(one, to + i)),
               one, to + i);
  }
}

HWY_INLINE double dot(std::size_t count, const double* HWY_RESTRICT a,
                      const double* HWY_RESTRICT b) {
  const DoubleTag d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  constexpr std::size_t kVectors = kSums / lanes;
  HWY_ALIGN double sums[kSums] = {};
  std::size_t i = 0;
  if (count >= kSums) {
    DoubleVector parts[kVectors];
    for (DoubleVector& part : parts) part = hn::Zero(d);
    for (; i + kSums <= count; i += kSums) {
      for (std::size_t v = 0; v < kVectors; ++v) {
        const std::size_t at = i + v * lanes;
        parts[v] = hn::MulAdd(hn::LoadU(d, a + at), hn::LoadU(d, b + at), parts[v]);
      }
    }
    for (std::size_t v = 0; v < kVectors; ++v) hn::Store(parts[v], d, sums + v * lanes);
  }
  const hn::CappedTag<double, 1> one;
  for (; i < count; ++i) {
    double& sum = sums[i % kSums];
    sum = hn::GetLane(hn::MulAdd(hn::Set(one, a[i]), hn::Set(one, b[i]), hn::Set(one, sum)));
  }
  for (std::size_t half = kSums / 2; half > 0; half /= 2) {
    for (std::size_t j = 0; j < half; ++j) sums[j] += sums[j + half];
  }
  return sums[0];
}

bool Cholesky(std::size_t n, double* a) {
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

void divide(std::size_t m, double by, double* row) {
  std::transform(row, row + m, row, [by](double value) { return value / by; });
}

void CholeskySolve(std::size_t n, std::size_t m, const double* factor, double* b) {
  for (std::size_t i = 0; i < n; ++i) {
    double* row = b + i * m;
    for (std::size_t j = 0; j < i; ++j) add_multiple(m, -factor[i * n + j], b + j * m, row);
    divide(m, factor[i * n + i], row);
  }
  for (std::size_t i = n; i-- > 0;) {
    double* row = b + i * m;
    divide(m, factor[i * n + i], row);
    // Row i of the factor is column i of its transpose: what it adds goes to the rows above.
    for (std::size_t j = 0; j < i; ++j) add_multiple(m, -factor[i * n + j], row, b + j * m);
  }
}

void SymmetricProduct(std::size_t n, std::size_t m, const double* a, const double* b, double* out) {
  std::fill_n(out, n * m, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) add_multiple(m, a[i * n + j], b + j * m, out + i * m);
  }
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(Cholesky);
HWY_EXPORT(CholeskySolve);
HWY_EXPORT(SymmetricProduct);

bool cholesky(std::size_t n, double* a) { return HWY_DYNAMIC_DISPATCH(Cholesky)(n, a); }

void cholesky_solve(std::size_t n, std::size_t m, const double* factor, double* b) {
  HWY_DYNAMIC_DISPATCH(CholeskySolve)(n, m, factor, b);
}

void symmetric_product(std::size_t n, std::size_t m, const double* a, const double* b,
                       double* out) {
  HWY_DYNAMIC_DISPATCH(SymmetricProduct)(n, m, a, b, out);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
