#include "pulsecast/kernels/pointwise/gelu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/pointwise/gelu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/math-inl.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

// Without a slope to keep there is no need of the density, and so of its exponential.
template <bool kBias>
HWY_INLINE void gelu_value_row(std::size_t count, const float* bias, const float* x, float* y) {
  for_vectors(count, [=](std::size_t i, auto lanes) {
    FloatVector v = lanes.load(x + i);
    if constexpr (kBias) v = hn::Add(v, lanes.load(bias + i));
    lanes.store(hn::Mul(v, normal_cumulative(FloatTag(), v)), y + i);
  });
}

template <bool kBias>
HWY_INLINE void gelu_row(std::size_t count, const float* bias, const float* x, float* y,
                         float* slope) {
  for_vectors(count, [=](std::size_t i, auto lanes) {
    FloatVector v = lanes.load(x + i);
    if constexpr (kBias) v = hn::Add(v, lanes.load(bias + i));
    const auto p = normal_distribution(FloatTag(), v);
    lanes.store(hn::Mul(v, p.cumulative), y + i);
    lanes.store(hn::MulAdd(v, p.density, p.cumulative), slope + i);
  });
}

void Gelu(std::size_t count, const float* x, float* y, float* slope) {
  if (slope == nullptr) {
    gelu_value_row<false>(count, nullptr, x, y);
  } else {
    gelu_row<false>(count, nullptr, x, y, slope);
  }
}

void BiasGelu(std::size_t rows, std::size_t columns, const float* bias, const float* x, float* y,
              float* slope) {
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t start = row * columns;
    if (slope == nullptr) {
      gelu_value_row<true>(columns, bias, x + start, y + start);
    } else {
      gelu_row<true>(columns, bias, x + start, y + start, slope + start);
    }
  }
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(Gelu);
HWY_EXPORT(BiasGelu);

void gelu(std::size_t count, const float* x, float* y, float* slope) {
  const profile::Scope scope("GELU");
  HWY_DYNAMIC_DISPATCH(Gelu)(count, x, y, slope);
}

void bias_gelu(std::size_t rows, std::size_t columns, const float* bias, const float* x, float* y,
               float* slope) {
  const profile::Scope scope("GELU");
  HWY_DYNAMIC_DISPATCH(BiasGelu)(rows, columns, bias, x, y, slope);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
