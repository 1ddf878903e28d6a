#include "pulsecast/kernels/normalise/row_affine.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/normalise/row_affine.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

using D = FloatTag;

void RowAffine(std::size_t rows, std::size_t width, const float* x, const float* anchor,
               const float* factor, const float* shift, float* y) {
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t start = row * width;
    const auto f = hn::Set(D(), factor[row]);
    const auto s = hn::Set(D(), shift[row]);
    if (anchor == nullptr) {
      for_vectors(width, [&](std::size_t i, auto lanes) {
        lanes.store(hn::MulAdd(lanes.load(x + start + i), f, s), y + start + i);
      });
    } else {
      for_vectors(width, [&](std::size_t i, auto lanes) {
        const auto a = lanes.load(anchor + start + i);
        const auto r = hn::Sub(lanes.load(x + start + i), a);
        lanes.store(hn::Add(hn::MulAdd(r, f, s), a), y + start + i);
      });
    }
  }
}

void RowAffineBackward(std::size_t rows, std::size_t width, const float* x, const float* anchor,
                       const float* factor, const float* grad_y, const RowAffineGradients& to) {
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t start = row * width;
    const auto f = hn::Set(D(), factor[row]);
    const auto rest = hn::Set(D(), 1.0f - factor[row]);
    FixedSum dot, sum;
    const auto put = [&](std::size_t i, auto lanes, FloatVector g, FloatVector by,
                         const Gradient& gradient) {
      if (gradient.data == nullptr) return;
      float* at = gradient.data + start + i;
      const auto before = gradient.accumulate ? lanes.load(at) : hn::Zero(D());
      lanes.store(hn::MulAdd(g, by, before), at);
    };
    for_summed(width, [&](std::size_t i, std::size_t part, auto lanes) {
      const auto g = lanes.load(grad_y + start + i);
      auto r = lanes.load(x + start + i);
      if (anchor != nullptr) r = hn::Sub(r, lanes.load(anchor + start + i));
      dot.add_product(part, g, r);
      sum.add(part, g);
      put(i, lanes, g, f, to.x);
      put(i, lanes, g, rest, to.anchor);
    });
    to.factor[row] = dot.total();
    to.shift[row] = sum.total();
  }
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(RowAffine);
HWY_EXPORT(RowAffineBackward);

void row_affine(std::size_t rows, std::size_t width, const float* x, const float* anchor,
                const float* factor, const float* shift, float* y) {
  const profile::Scope scope("normalise");
  HWY_DYNAMIC_DISPATCH(RowAffine)(rows, width, x, anchor, factor, shift, y);
}

void row_affine_backward(std::size_t rows, std::size_t width, const float* x, const float* anchor,
                         const float* factor, const float* grad_y,
                         const RowAffineGradients& gradients) {
  const profile::Scope scope("normalise");
  HWY_DYNAMIC_DISPATCH(RowAffineBackward)
  (rows, width, x, anchor, factor, grad_y, gradients);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
