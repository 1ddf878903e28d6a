#include "pulsecast/kernels/small_gemm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/small_gemm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/small_gemm-inl.h"

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

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
