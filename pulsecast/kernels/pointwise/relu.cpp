#include "pulsecast/kernels/pointwise/relu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/pointwise/relu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

void Relu(std::size_t count, const float* x, float* y) {
  const auto zero = hn::Zero(FloatTag());
  for_vectors(count, [&](std::size_t i, auto lanes) {
    lanes.store(hn::Max(lanes.load(x + i), zero), y + i);
  });
}

void ReluBackward(std::size_t count, const float* y, const float* grad_y, const Gradient& to) {
  const auto zero = hn::Zero(FloatTag());
  for_vectors(count, [&](std::size_t i, auto lanes) {
    const auto passed = hn::IfThenElseZero(hn::Gt(lanes.load(y + i), zero), lanes.load(grad_y + i));
    lanes.store(to.accumulate ? hn::Add(passed, lanes.load(to.data + i)) : passed, to.data + i);
  });
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(Relu);
HWY_EXPORT(ReluBackward);

void relu(std::size_t count, const float* x, float* y) {
  const profile::Scope scope("elementwise");
  HWY_DYNAMIC_DISPATCH(Relu)(count, x, y);
}

void relu_backward(std::size_t count, const float* y, const float* grad_y, Gradient grad_x) {
  const profile::Scope scope("elementwise");
  HWY_DYNAMIC_DISPATCH(ReluBackward)(count, y, grad_y, grad_x);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
