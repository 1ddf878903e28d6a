#include "pulsecast/kernels/attention/softmax.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/attention/softmax.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/math-inl.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

using D = FloatTag;

void Softmax(std::size_t rows, std::size_t width, const float* x, float* y) {
  for (std::size_t row = 0; row < rows; ++row) {
    const float* from = x + row * width;
    float* to = y + row * width;
    const auto lowest = hn::Set(D(), hwy::LowestValue<float>());
    auto largest = lowest;
    for_vectors(width, [&](std::size_t i, auto lanes) {
      largest = hn::Max(largest, lanes.valid_or(lanes.load(from + i), lowest));
    });
    largest = hn::MaxOfLanes(D(), largest);
    FixedSum sum;
    for_summed(width, [&](std::size_t i, std::size_t part, auto lanes) {
      const auto e = exp_vector(D(), hn::Sub(lanes.load(from + i), largest));
      sum.add(part, lanes.valid_or(e, hn::Zero(D())));
      lanes.store(e, to + i);
    });
    const auto inverse = hn::Set(D(), 1.0f / sum.total());
    for_vectors(width, [&](std::size_t i, auto lanes) {
      lanes.store(hn::Mul(lanes.load(to + i), inverse), to + i);
    });
  }
}

void SoftmaxBackward(std::size_t rows, std::size_t width, const float* y, const float* grad_y,
                     Gradient grad_x) {
  for (std::size_t row = 0; row < rows; ++row) {
    const float* p = y + row * width;
    const float* g = grad_y + row * width;
    float* to = grad_x.data + row * width;
    FixedSum dot;
    for_summed(width, [&](std::size_t i, std::size_t part, auto lanes) {
      dot.add_product(part, lanes.load(p + i), lanes.load(g + i));
    });
    const auto total = hn::Set(D(), dot.total());
    for_vectors(width, [&](std::size_t i, auto lanes) {
      const auto before = grad_x.accumulate ? lanes.load(to + i) : hn::Zero(D());
      lanes.store(hn::MulAdd(lanes.load(p + i), hn::Sub(lanes.load(g + i), total), before), to + i);
    });
  }
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(Softmax);
HWY_EXPORT(SoftmaxBackward);

void softmax(std::size_t rows, std::size_t width, const float* x, float* y) {
  const profile::Scope scope("softmax");
  HWY_DYNAMIC_DISPATCH(Softmax)(rows, width, x, y);
}

void softmax_backward(std::size_t rows, std::size_t width, const float* y, const float* grad_y,
                      Gradient grad_x) {
  const profile::Scope scope("softmax");
  HWY_DYNAMIC_DISPATCH(SoftmaxBackward)(rows, width, y, grad_y, grad_x);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
