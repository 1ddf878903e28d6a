#include "pulsecast/kernels/pointwise/couple.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/pointwise/couple.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/math-inl.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

void Couple(std::size_t count, float gain, const float* a, const float* s, const float* t, float* y,
            float* factors) {
  const FloatTag d;
  const auto by = hn::Set(d, gain);
  const auto most = hn::Set(d, kMostLog);
  for_vectors(count, [&](std::size_t i, auto lanes) {
    const auto log = hn::Mul(by, lanes.load(s + i));
    const auto factor = exp_vector(d, hn::Max(hn::Neg(most), hn::Min(log, most)));
    lanes.store(hn::MulAdd(lanes.load(a + i), factor, lanes.load(t + i)), y + i);
    if (factors != nullptr) lanes.store(factor, factors + i);
  });
}

float CoupleBackward(std::size_t count, float gain, const float* a, const float* s,
                     const float* factors, const float* grad_y, const Gradient& grad_a,
                     const Gradient& grad_s) {
  const FloatTag d;
  const auto by = hn::Set(d, gain);
  const auto most = hn::Set(d, kMostLog);
  const auto put = [](auto lanes, std::size_t i, FloatVector value, const Gradient& to) {
    if (to.data == nullptr) return;
    lanes.store(to.accumulate ? hn::Add(value, lanes.load(to.data + i)) : value, to.data + i);
  };
  FixedSum sum;
  for_summed(count, [&](std::size_t i, std::size_t part, auto lanes) {
    const auto own = lanes.load(s + i);
    const auto scaled = hn::Mul(lanes.load(grad_y + i), lanes.load(factors + i));
    const auto is_inside = hn::Le(hn::Abs(hn::Mul(by, own)), most);
    const auto of_log = hn::IfThenElseZero(is_inside, hn::Mul(scaled, lanes.load(a + i)));
    put(lanes, i, scaled, grad_a);
    put(lanes, i, hn::Mul(of_log, by), grad_s);
    sum.add_product(part, of_log, own);
  });
  return sum.total();
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(Couple);
HWY_EXPORT(CoupleBackward);

void couple(std::size_t count, float gain, const float* a, const float* s, const float* t, float* y,
            float* factors) {
  const profile::Scope scope("elementwise");
  HWY_DYNAMIC_DISPATCH(Couple)(count, gain, a, s, t, y, factors);
}

float couple_backward(std::size_t count, float gain, const float* a, const float* s,
                      const float* factors, const float* grad_y, Gradient grad_a, Gradient grad_s) {
  const profile::Scope scope("elementwise");
  return HWY_DYNAMIC_DISPATCH(CoupleBackward)(count, gain, a, s, factors, grad_y, grad_a, grad_s);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
