#include "pulsecast/kernels/normalise/layer_norm.h"

#include <cmath>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/pointwise/elementwise.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/normalise/layer_norm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

using D = FloatTag;

void LayerNorm(std::size_t rows, std::size_t width, const float* x, const float* gamma,
               const float* beta, float* y, float* normalised, float* inverse_deviation) {
  const float per_element = 1.0f / static_cast<float>(width);
  for (std::size_t row = 0; row < rows; ++row) {
    const float* from = x + row * width;
    FixedSum sum;
    for_summed(width, [&](std::size_t i, std::size_t part, auto lanes) {
      sum.add(part, lanes.load(from + i));
    });
    const auto mean = hn::Set(D(), sum.total() * per_element);
    FixedSum squares;
    for_summed(width, [&](std::size_t i, std::size_t part, auto lanes) {
      const auto centred = lanes.valid_or(hn::Sub(lanes.load(from + i), mean), hn::Zero(D()));
      squares.add_product(part, centred, centred);
    });
    const float inverse = 1.0f / std::sqrt(squares.total() * per_element + kLayerNormEpsilon);
    for_vectors(width, [&](std::size_t i, auto lanes) {
      const auto unit = hn::Mul(hn::Sub(lanes.load(from + i), mean), hn::Set(D(), inverse));
      if (normalised != nullptr) lanes.store(unit, normalised + row * width + i);
      lanes.store(hn::MulAdd(unit, lanes.load(gamma + i), lanes.load(beta + i)),
                  y + row * width + i);
    });
    if (inverse_deviation != nullptr) inverse_deviation[row] = inverse;
  }
}

// With u the normalised row and g = grad_y * gamma:
// grad_x = inverse * (g - mean(g) - u * mean(g u)).
void LayerNormInput(std::size_t rows, std::size_t width, const float* normalised,
                    const float* inverse_deviation, const float* gamma, const float* grad_y,
                    Gradient to) {
  const float per_element = 1.0f / static_cast<float>(width);
  for (std::size_t row = 0; row < rows; ++row) {
    const float* u = normalised + row * width;
    const float* gy = grad_y + row * width;
    FixedSum sum, dot;
    for_summed(width, [&](std::size_t i, std::size_t part, auto lanes) {
      const auto g = hn::Mul(lanes.load(gy + i), lanes.load(gamma + i));
      sum.add(part, g);
      dot.add_product(part, g, lanes.load(u + i));
    });
    const auto mean = hn::Set(D(), sum.total() * per_element);
    const auto mean_dot = hn::Set(D(), dot.total() * per_element);
    const auto inverse = hn::Set(D(), inverse_deviation[row]);
    float* target = to.data + row * width;
    for_vectors(width, [&](std::size_t i, auto lanes) {
      const auto g = hn::Mul(lanes.load(gy + i), lanes.load(gamma + i));
      const auto centred = hn::Sub(hn::NegMulAdd(lanes.load(u + i), mean_dot, g), mean);
      const auto before = to.accumulate ? lanes.load(target + i) : hn::Zero(D());
      lanes.store(hn::MulAdd(centred, inverse, before), target + i);
    });
  }
}

// Down the rows a vector of columns at a time, the sums in registers: kept in memory, the sum of
// one row would wait for that of the row before to be stored.
void LayerNormGamma(std::size_t rows, std::size_t width, const float* normalised,
                    const float* grad_y, Gradient to) {
  for_vectors(width, [&](std::size_t i, auto lanes) {
    auto even = to.accumulate ? lanes.load(to.data + i) : hn::Zero(D());
    auto odd = hn::Zero(D());
    const auto add = [&](std::size_t row, FloatVector sum) {
      const std::size_t at = row * width + i;
      return hn::MulAdd(lanes.load(grad_y + at), lanes.load(normalised + at), sum);
    };
    std::size_t row = 0;
    for (; row + 2 <= rows; row += 2) {
      even = add(row, even);
      odd = add(row + 1, odd);
    }
    if (row < rows) even = add(row, even);
    lanes.store(hn::Add(even, odd), to.data + i);
  });
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(LayerNorm);
HWY_EXPORT(LayerNormInput);
HWY_EXPORT(LayerNormGamma);

void layer_norm(std::size_t rows, std::size_t width, const float* x, const float* gamma,
                const float* beta, float* y, float* normalised, float* inverse_deviation) {
  const profile::Scope scope("layer norm");
  HWY_DYNAMIC_DISPATCH(LayerNorm)
  (rows, width, x, gamma, beta, y, normalised, inverse_deviation);
}

void layer_norm_backward(std::size_t rows, std::size_t width, const float* normalised,
                         const float* inverse_deviation, const float* gamma, const float* grad_y,
                         const LayerNormGradients& gradients) {
  const profile::Scope scope("layer norm");
  if (gradients.x.data != nullptr) {
    HWY_DYNAMIC_DISPATCH(LayerNormInput)
    (rows, width, normalised, inverse_deviation, gamma, grad_y, gradients.x);
  }
  if (gradients.gamma.data != nullptr) {
    HWY_DYNAMIC_DISPATCH(LayerNormGamma)(rows, width, normalised, grad_y, gradients.gamma);
  }
  if (gradients.beta.data != nullptr) {
    column_sums(rows, width, grad_y, gradients.beta.accumulate, gradients.beta.data);
  }
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
