#include "pulsecast/kernels/pointwise/adam.h"

#include <cmath>

// Highway includes this file once per target; this part is the same for all of them.
#ifndef PULSECAST_KERNELS_ADAM_FACTORS_
#define PULSECAST_KERNELS_ADAM_FACTORS_
namespace pulsecast::kernels {

// What stays the same for every weight of a step, computed in double.
struct AdamFactors {
  float beta2;
  float complement1;         // 1 - beta1
  float complement2;         // 1 - beta2
  float step_size;           // learning rate / (1 - beta1^t)
  float inverse_root_scale;  // 1 / sqrt(1 - beta2^t)
  float epsilon;
};

}  // namespace pulsecast::kernels
#endif  // PULSECAST_KERNELS_ADAM_FACTORS_

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/pointwise/adam.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

void Adam(std::size_t count, const AdamFactors& f, const float* gradient, float* weight,
          float* moment1, float* moment2) {
  const FloatTag d;
  for_vectors(count, [&](std::size_t i, auto lanes) {
    const auto g = lanes.load(gradient + i);
    const auto m1 = hn::MulAdd(hn::Set(d, f.complement1), hn::Sub(g, lanes.load(moment1 + i)),
                               lanes.load(moment1 + i));
    const auto m2 = hn::MulAdd(hn::Mul(hn::Set(d, f.complement2), g), g,
                               hn::Mul(hn::Set(d, f.beta2), lanes.load(moment2 + i)));
    const auto root =
        hn::MulAdd(hn::Sqrt(m2), hn::Set(d, f.inverse_root_scale), hn::Set(d, f.epsilon));
    lanes.store(m1, moment1 + i);
    lanes.store(m2, moment2 + i);
    lanes.store(hn::NegMulAdd(hn::Set(d, f.step_size), hn::Div(m1, root), lanes.load(weight + i)),
                weight + i);
  });
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(Adam);

void adam(std::size_t count, const AdamSettings& settings, std::int64_t step, const float* gradient,
          float* weight, float* moment1, float* moment2) {
  const profile::Scope scope("Adam");
  const auto t = static_cast<double>(step);
  const double correction1 = 1.0 - std::pow(settings.beta1, t);
  const double correction2 = 1.0 - std::pow(settings.beta2, t);
  const auto as_float = [](double value) { return static_cast<float>(value); };
  HWY_DYNAMIC_DISPATCH(Adam)
  (count,
   {.beta2 = as_float(settings.beta2),
    .complement1 = as_float(1.0 - settings.beta1),
    .complement2 = as_float(1.0 - settings.beta2),
    .step_size = as_float(settings.learning_rate / correction1),
    .inverse_root_scale = as_float(1.0 / std::sqrt(correction2)),
    .epsilon = as_float(settings.epsilon)},
   gradient, weight, moment1, moment2);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
