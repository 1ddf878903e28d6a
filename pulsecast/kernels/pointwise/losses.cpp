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

double SumQuantileError(std::size_t rows, std::size_t quantiles, const float* y,
                        const float* target, const float* probabilities, float scale,
                        float* gradient) {
  const auto zero = hn::Zero(D());
  const auto one = hn::Set(D(), 1.0f);
  const std::size_t at_once = std::max<std::size_t>(1, kBlock / quantiles);
  double total = 0.0;
  for (std::size_t start = 0; start < rows; start += at_once) {
    FixedSum sum;
    for (std::size_t row = start; row < std::min(rows, start + at_once); ++row) {
      const auto truth = hn::Set(D(), target[row]);
      const float* said = y + row * quantiles;
      for_summed(quantiles, [&](std::size_t i, std::size_t part, auto lanes) {
        const auto p = lanes.load(probabilities + i);
        const auto above = hn::Sub(truth, lanes.load(said + i));
        const auto down = hn::Sub(p, one);
        // Lanes past the end have a truth and no forecast.
        sum.add(part, lanes.valid_or(hn::Max(hn::Mul(p, above), hn::Mul(down, above)), zero));
        if (gradient == nullptr) return;
        const auto slope = hn::IfThenElse(hn::Gt(above, zero), p, down);
        lanes.store(hn::IfThenZeroElse(hn::Eq(above, zero), hn::Mul(hn::Set(D(), -scale), slope)),
                    gradient + row * quantiles + i);
      });
    }
    total += sum.total();
  }
  return total;
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(SumSquaredError);
HWY_EXPORT(SumAbsoluteError);
HWY_EXPORT(SumQuantileError);

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

double sum_quantile_error(std::size_t rows, std::size_t quantiles, const float* y,
                          const float* target, const float* probabilities, float scale,
                          float* gradient) {
  const profile::Scope scope("loss");
  return HWY_DYNAMIC_DISPATCH(SumQuantileError)(rows, quantiles, y, target, probabilities, scale,
                                                gradient);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
