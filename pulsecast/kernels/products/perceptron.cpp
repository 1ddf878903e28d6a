#include "pulsecast/kernels/products/perceptron.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/products/perceptron.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/math-inl.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

// What hidden numbers [j, j + kCount) of a vector of rows bring. Several at once, so that none
// waits for itself and what is read is read once.
template <std::size_t kCount, class Lanes>
HWY_INLINE void add_hidden(const PerceptronShape& s, const PerceptronWeights& w, std::size_t j,
                           const float* x, float* y, Lanes lanes) {
  const FloatTag d;
  FloatVector v[kCount];
  for (std::size_t i = 0; i < kCount; ++i) v[i] = hn::Set(d, w.hidden_bias[j + i]);
  for (std::size_t k = 0; k < s.inputs; ++k) {
    const FloatVector read = lanes.load(x + k * s.rows);
    for (std::size_t i = 0; i < kCount; ++i) {
      v[i] = hn::MulAdd(read, hn::Set(d, w.input[(j + i) * s.inputs + k]), v[i]);
    }
  }
  for (std::size_t i = 0; i < kCount; ++i) v[i] = hn::Mul(v[i], normal_cumulative(d, v[i]));
  for (std::size_t o = 0; o < s.outputs; ++o) {
    FloatVector sum = lanes.load(y + o * s.rows);
    for (std::size_t i = 0; i < kCount; ++i) {
      sum = hn::MulAdd(v[i], hn::Set(d, w.output[o * s.hidden + j + i]), sum);
    }
    lanes.store(sum, y + o * s.rows);
  }
}

void Perceptron(const PerceptronShape& s, const PerceptronWeights& w, const float* x, float* y) {
  constexpr std::size_t kAtOnce = 4;
  for_vectors(s.rows, [&](std::size_t row, auto lanes) {
    for (std::size_t o = 0; o < s.outputs; ++o) {
      lanes.store(hn::Set(FloatTag(), w.output_bias[o]), y + o * s.rows + row);
    }
    std::size_t j = 0;
    for (; j + kAtOnce <= s.hidden; j += kAtOnce) {
      add_hidden<kAtOnce>(s, w, j, x + row, y + row, lanes);
    }
    for (; j < s.hidden; ++j) add_hidden<1>(s, w, j, x + row, y + row, lanes);
  });
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(Perceptron);

void perceptron(const PerceptronShape& shape, const PerceptronWeights& weights, const float* x,
                float* y) {
  const profile::Scope scope("linear", 2.0 * static_cast<double>(shape.rows * shape.hidden *
                                                                 (shape.inputs + shape.outputs)));
  HWY_DYNAMIC_DISPATCH(Perceptron)(shape, weights, x, y);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
