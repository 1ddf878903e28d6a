#include "pulsecast/kernels/products/small_gemm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/products/small_gemm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/products/small_gemm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

void SmallGemm(std::size_t m, std::size_t n, std::size_t k, const StridedMatrix& a, const float* b,
               bool accumulate, float* c) {
  small_gemm(m, n, k, Strided{a.data, a.row, a.column}, Rows{b, n}, OutputRows{c, n}, accumulate);
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(SmallGemm);

void small_gemm(std::size_t m, std::size_t n, std::size_t k, const StridedMatrix& a, const float* b,
                bool accumulate, float* c) {
  const profile::Scope scope("matrix product", 2.0 * static_cast<double>(m * n * k));
  HWY_DYNAMIC_DISPATCH(SmallGemm)(m, n, k, a, b, accumulate, c);
}

void any_gemm(std::size_t m, std::size_t n, std::size_t k, Op op_a, const float* a, const float* b,
              bool accumulate, float* c) {
  constexpr std::size_t kSmall = 8192;
  if (n * k <= kSmall) {
    small_gemm(m, n, k, op_a == Op::kNormal ? StridedMatrix{a, k, 1} : StridedMatrix{a, 1, m}, b,
               accumulate, c);
  } else {
    gemm(op_a, Op::kNormal, m, n, k, 1.0f, a, op_a == Op::kNormal ? k : m, b, n,
         accumulate ? 1.0f : 0.0f, c, n);
  }
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
