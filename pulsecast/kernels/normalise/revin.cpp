#include "pulsecast/kernels/normalise/revin.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/normalise/revin.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

using D = FloatTag;

void Revin(const RevinShape& s, const float* x, const float* anchor, const float* gamma,
           const float* beta, float* y, float* unit, float* mean, float* deviation) {
  const auto n = static_cast<float>(s.width);
  for (std::size_t row = 0; row < s.rows; ++row) {
    const std::size_t start = row * s.width;
    const float* from = x + start;
    const float* own = anchor == nullptr ? nullptr : anchor + start;
    float* to = y + start;
    // The residual goes where its result will be.
    float* residual = unit == nullptr ? to : unit + start;
    FixedSum sum;
    for_summed(s.width, [&](std::size_t i, std::size_t part, auto lanes) {
      auto r = lanes.load(from + i);
      if (own != nullptr) r = hn::Sub(r, lanes.load(own + i));
      lanes.store(r, residual + i);
      sum.add(part, r);
    });
    mean[row] = sum.total() / n;
    const auto centre = hn::Set(D(), mean[row]);
    FixedSum squares;
    for_summed(s.width, [&](std::size_t i, std::size_t part, auto lanes) {
      const auto centred = lanes.valid_or(hn::Sub(lanes.load(residual + i), centre), hn::Zero(D()));
      squares.add_product(part, centred, centred);
    });
    deviation[row] = std::sqrt(squares.total() / (n - 1.0f) + kRevinEpsilon);
    const auto inverse = hn::Set(D(), 1.0f / deviation[row]);
    const auto factor = hn::Set(D(), gamma[row % s.channels]);
    const auto shift = hn::Set(D(), beta[row % s.channels]);
    for_vectors(s.width, [&](std::size_t i, auto lanes) {
      const auto u = hn::Mul(hn::Sub(lanes.load(residual + i), centre), inverse);
      if (unit != nullptr) lanes.store(u, residual + i);
      auto value = hn::MulAdd(u, factor, shift);
      if (own != nullptr) value = hn::Add(value, lanes.load(own + i));
      lanes.store(value, to + i);
    });
  }
}

// With g what came back to y: d mean / d r[t] = 1/n, d deviation / d r[t] = u[t] / (n-1), and
// through u itself gamma * (g - mean(g) - u * sum(g u) / (n-1)) / deviation. x gets the gradient of
// r, the anchor g less that.
void RevinBackward(const RevinShape& s, const float* unit, const float* deviation,
                   const float* gamma, const RevinIncoming& in, const RevinGradients& to) {
  const auto n = static_cast<float>(s.width);
  for (std::size_t row = 0; row < s.rows; ++row) {
    const std::size_t start = row * s.width;
    const float* u = unit + start;
    const float* g = in.y == nullptr ? nullptr : in.y + start;
    float constant = in.mean == nullptr ? 0.0f : in.mean[row] / n;
    float along_unit = in.deviation == nullptr ? 0.0f : in.deviation[row] / (n - 1.0f);
    const float inverse = gamma[row % s.channels] / deviation[row];
    to.gamma[row] = 0.0f;
    to.beta[row] = 0.0f;
    if (g != nullptr) {
      FixedSum sum, dot;
      for_summed(s.width, [&](std::size_t i, std::size_t part, auto lanes) {
        sum.add(part, lanes.load(g + i));
        dot.add_product(part, lanes.load(g + i), lanes.load(u + i));
      });
      to.beta[row] = sum.total();
      to.gamma[row] = dot.total();
      constant -= inverse * to.beta[row] / n;
      along_unit -= inverse * to.gamma[row] / (n - 1.0f);
    }
    const auto put = [&](std::size_t i, auto lanes, FloatVector value, const Gradient& gradient) {
      if (gradient.data == nullptr) return;
      float* at = gradient.data + start + i;
      lanes.store(gradient.accumulate ? hn::Add(value, lanes.load(at)) : value, at);
    };
    for_vectors(s.width, [&](std::size_t i, auto lanes) {
      const auto came = g == nullptr ? hn::Zero(D()) : lanes.load(g + i);
      auto of_residual =
          hn::MulAdd(lanes.load(u + i), hn::Set(D(), along_unit), hn::Set(D(), constant));
      of_residual = hn::MulAdd(came, hn::Set(D(), inverse), of_residual);
      put(i, lanes, of_residual, to.x);
      put(i, lanes, hn::Sub(came, of_residual), to.anchor);
    });
  }
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(Revin);
HWY_EXPORT(RevinBackward);

void revin(const RevinShape& shape, const float* x, const float* anchor, const float* gamma,
           const float* beta, float* y, float* unit, float* mean, float* deviation) {
  const profile::Scope scope("normalise");
  HWY_DYNAMIC_DISPATCH(Revin)(shape, x, anchor, gamma, beta, y, unit, mean, deviation);
}

void revin_backward(const RevinShape& shape, const float* unit, const float* deviation,
                    const float* gamma, const RevinIncoming& incoming,
                    const RevinGradients& gradients) {
  const profile::Scope scope("normalise");
  HWY_DYNAMIC_DISPATCH(RevinBackward)(shape, unit, deviation, gamma, incoming, gradients);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
