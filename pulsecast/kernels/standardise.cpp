#include "pulsecast/kernels/standardise.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/standardise.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

using D = FloatTag;

void Standardise(std::size_t rows, std::size_t width, const float* x, float* y, float* mean,
                 float* deviation) {
  const auto n = static_cast<float>(width);
  for (std::size_t row = 0; row < rows; ++row) {
    const float* from = x + row * width;
    auto sum = hn::Zero(D());
    for_vectors(width,
                [&](std::size_t i, auto lanes) { sum = hn::Add(sum, lanes.load(from + i)); });
    mean[row] = sum_lanes(sum) / n;
    const auto centre = hn::Set(D(), mean[row]);
    auto squares = hn::Zero(D());
    for_vectors(width, [&](std::size_t i, auto lanes) {
      const auto centred = lanes.valid_or(hn::Sub(lanes.load(from + i), centre), hn::Zero(D()));
      squares = hn::MulAdd(centred, centred, squares);
    });
    deviation[row] = std::sqrt(sum_lanes(squares) / (n - 1.0f) + kStandardiseEpsilon);
    const auto inverse = hn::Set(D(), 1.0f / deviation[row]);
    for_vectors(width, [&](std::size_t i, auto lanes) {
      lanes.store(hn::Mul(hn::Sub(lanes.load(from + i), centre), inverse), y + row * width + i);
    });
  }
}

// d mean / d x[t] = 1/n, d deviation / d x[t] = y[t] / (n-1), and through y itself
// (grad_y - mean(grad_y) - y * sum(grad_y * y) / (n-1)) / deviation.
void StandardiseBackward(std::size_t rows, std::size_t width, const float* y,
                         const float* deviation, const float* grad_y, const float* grad_mean,
                         const float* grad_deviation, Gradient grad_x) {
  const auto n = static_cast<float>(width);
  for (std::size_t row = 0; row < rows; ++row) {
    const float* unit = y + row * width;
    float constant = grad_mean == nullptr ? 0.0f : grad_mean[row] / n;
    float along_unit = grad_deviation == nullptr ? 0.0f : grad_deviation[row] / (n - 1.0f);
    const float inverse = 1.0f / deviation[row];
    const float* g = grad_y == nullptr ? nullptr : grad_y + row * width;
    if (g != nullptr) {
      auto sum = hn::Zero(D());
      auto dot = hn::Zero(D());
      for_vectors(width, [&](std::size_t i, auto lanes) {
        sum = hn::Add(sum, lanes.load(g + i));
        dot = hn::MulAdd(lanes.load(g + i), lanes.load(unit + i), dot);
      });
      constant -= inverse * sum_lanes(sum) / n;
      along_unit -= inverse * sum_lanes(dot) / (n - 1.0f);
    }
    float* to = grad_x.data + row * width;
    for_vectors(width, [&](std::size_t i, auto lanes) {
      auto value =
          hn::MulAdd(lanes.load(unit + i), hn::Set(D(), along_unit), hn::Set(D(), constant));
      if (g != nullptr) value = hn::MulAdd(lanes.load(g + i), hn::Set(D(), inverse), value);
      if (grad_x.accumulate) value = hn::Add(value, lanes.load(to + i));
      lanes.store(value, to + i);
    });
  }
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(Standardise);
HWY_EXPORT(StandardiseBackward);

void standardise(std::size_t rows, std::size_t width, const float* x, float* y, float* mean,
                 float* deviation) {
  const profile::Scope scope("normalise");
  HWY_DYNAMIC_DISPATCH(Standardise)(rows, width, x, y, mean, deviation);
}

void standardise_backward(std::size_t rows, std::size_t width, const float* y,
                          const float* deviation, const float* grad_y, const float* grad_mean,
                          const float* grad_deviation, Gradient grad_x) {
  const profile::Scope scope("normalise");
  HWY_DYNAMIC_DISPATCH(StandardiseBackward)
  (rows, width, y, deviation, grad_y, grad_mean, grad_deviation, grad_x);
}

namespace reference {

void standardise(std::size_t rows, std::size_t width, const float* x, float* y, float* mean,
                 float* deviation) {
  const auto n = static_cast<double>(width);
  for (std::size_t row = 0; row < rows; ++row) {
    const float* from = x + row * width;
    double sum = 0.0;
    for (std::size_t i = 0; i < width; ++i) sum += from[i];
    double squares = 0.0;
    for (std::size_t i = 0; i < width; ++i) squares += std::pow(from[i] - sum / n, 2.0);
    const double sigma = std::sqrt(squares / (n - 1.0) + kStandardiseEpsilon);
    for (std::size_t i = 0; i < width; ++i) {
      y[row * width + i] = static_cast<float>((from[i] - sum / n) / sigma);
    }
    mean[row] = static_cast<float>(sum / n);
    deviation[row] = static_cast<float>(sigma);
  }
}

}  // namespace reference
}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
