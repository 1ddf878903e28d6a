#include "pulsecast/kernels/pointwise/losses.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/pointwise/losses.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

using D = FloatTag;

// Floats are summed in float over this many values, and those sums in double.
constexpr std::size_t kBlock = 1024;

// error(difference) is summed, slope(difference) is the gradient.
template <class Error, class Slope>
HWY_INLINE double sum_error(std::size_t count, const float* x, const float* y, float* gradient,
                            Error error, Slope slope) {
  double total = 0.0;
  for (std::size_t start = 0; start < count; start += kBlock) {
    FixedSum sum;
    for_summed(std::min(kBlock, count - start), [&](std::size_t i, std::size_t part, auto lanes) {
      const auto difference = hn::Sub(lanes.load(x + start + i), lanes.load(y + start + i));
      sum.add(part, error(difference));
      if (gradient != nullptr) lanes.store(slope(difference), gradient + start + i);
    });
    total += sum.total();
  }
  return total;
}

double SumSquaredError(std::size_t count, const float* x, const float* y, float scale,
                       float* gradient) {
  return sum_error(
      count, x, y, gradient, [](auto v) { return hn::Mul(v, v); },
      [scale](auto v) { return hn::Mul(hn::Set(D(), 2.0f * scale), v); });
}

double SumAbsoluteError(std::size_t count, const float* x, const float* y, float scale,
                        float* gradient) {
  return sum_error(
      count, x, y, gradient, [](auto v) { return hn::Abs(v); },
      [scale](auto v) {
        const auto sign = hn::CopySign(hn::Set(D(), scale), v);
        return hn::IfThenZeroElse(hn::Eq(v, hn::Zero(D())), sign);
      });
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(SumSquaredError);
HWY_EXPORT(SumAbsoluteError);

double sum_squared_error(std::size_t count, const float* x, const float* y, float scale,
                         float* gradient) {
  const profile::Scope scope("loss");
  return HWY_DYNAMIC_DISPATCH(SumSquaredError)(count, x, y, scale, gradient);
}

double sum_absolute_error(std::size_t count, const float* x, const float* y, float scale,
                          float* gradient) {
  const profile::Scope scope("loss");
  return HWY_DYNAMIC_DISPATCH(SumAbsoluteError)(count, x, y, scale, gradient);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
