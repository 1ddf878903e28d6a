#include "pulsecast/kernels/row_affine.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/row_affine.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

using D = FloatTag;

void RowAffine(std::size_t rows, std::size_t width, const float* x, const float* factor,
               const float* shift, float* y) {
  for (std::size_t row = 0; row < rows; ++row) {
    const auto f = hn::Set(D(), factor[row]);
    const auto s = hn::Set(D(), shift[row]);
    for_vectors(width, [&](std::size_t i, auto lanes) {
      lanes.store(hn::MulAdd(lanes.load(x + row * width + i), f, s), y + row * width + i);
    });
  }
}

void RowAffineBackward(std::size_t rows, std::size_t width, const float* x, const float* factor,
                       const float* grad_y, Gradient grad_x, float* grad_factor,
                       float* grad_shift) {
  for (std::size_t row = 0; row < rows; ++row) {
    const float* xr = x + row * width;
    const float* gr = grad_y + row * width;
    const auto f = hn::Set(D(), factor[row]);
    auto dot = hn::Zero(D());
    auto sum = hn::Zero(D());
    for_vectors(width, [&](std::size_t i, auto lanes) {
      const auto g = lanes.load(gr + i);
      dot = hn::MulAdd(g, lanes.load(xr + i), dot);
      sum = hn::Add(sum, g);
      if (grad_x.data != nullptr) {
        float* to = grad_x.data + row * width + i;
        const auto before = grad_x.accumulate ? lanes.load(to) : hn::Zero(D());
        lanes.store(hn::MulAdd(g, f, before), to);
      }
    });
    grad_factor[row] = sum_lanes(dot);
    grad_shift[row] = sum_lanes(sum);
  }
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(RowAffine);
HWY_EXPORT(RowAffineBackward);

void row_affine(std::size_t rows, std::size_t width, const float* x, const float* factor,
                const float* shift, float* y) {
  const profile::Scope scope("normalise");
  HWY_DYNAMIC_DISPATCH(RowAffine)(rows, width, x, factor, shift, y);
}

void row_affine_backward(std::size_t rows, std::size_t width, const float* x, const float* factor,
                         const float* grad_y, Gradient grad_x, float* grad_factor,
                         float* grad_shift) {
  const profile::Scope scope("normalise");
  HWY_DYNAMIC_DISPATCH(RowAffineBackward)
  (rows, width, x, factor, grad_y, grad_x, grad_factor, grad_shift);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
