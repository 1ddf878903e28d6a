#include "pulsecast/autodiff/operations/losses.h"

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/kernels/pointwise/elementwise.h"
#include "pulsecast/kernels/pointwise/losses.h"

namespace pulsecast::autodiff {
namespace {

// The gradient is made on the way forward, while its inputs are at hand. sum(gradient) returns the
// sum and, where gradient is not null, fills it with weight * d(sum)/dy.
template <typename Sum>
Tensor loss_of(Tape& tape, const Tensor& y, float weight, Sum sum) {
  const bool tracked = tape.tracks(y);
  const Tensor loss = tape.result({1}, tracked);
  float* gradient = tracked ? tape.floats(y.count()) : nullptr;
  *loss.data = static_cast<float>(weight * sum(gradient));
  if (tracked) {
    tape.note([&tape, y, loss, gradient] {
      const float* g = Tape::incoming(loss);
      if (g != nullptr) tape.contribute(y, gradient, *g);
    });
  }
  return loss;
}

}  // namespace

Tensor squared_error(Tape& tape, const Tensor& y, const Tensor& target, float weight) {
  require(y.shape == target.shape, "squared_error", "y and target of one shape", y, target);
  return loss_of(tape, y, weight, [&](float* gradient) {
    return kernels::sum_squared_error(y.count(), y.data, target.data, weight, gradient);
  });
}

Tensor absolute_error(Tape& tape, const Tensor& y, const Tensor& target, float weight) {
  require(y.shape == target.shape, "absolute_error", "y and target of one shape", y, target);
  return loss_of(tape, y, weight, [&](float* gradient) {
    return kernels::sum_absolute_error(y.count(), y.data, target.data, weight, gradient);
  });
}

Tensor quantile_error(Tape& tape, const Tensor& y, const Tensor& target,
                      std::span<const float> probabilities, float weight) {
  require(y.shape.rank() == 2 && y.shape[1] == probabilities.size() &&
              target.shape == Shape{y.shape[0]},
          "quantile_error", "y (rows, quantiles) and target (rows)", y, target);
  return loss_of(tape, y, weight, [&](float* gradient) {
    return kernels::sum_quantile_error(y.shape[0], y.shape[1], y.data, target.data,
                                       probabilities.data(), weight, gradient);
  });
}

Tensor spectral_error(Tape& tape, const Tensor& y, const Tensor& target,
                      const kernels::RealFft& fft, float weight) {
  require(y.shape.rank() == 2 && y.shape == target.shape && y.shape[1] == fft.length(),
          "spectral_error", "y and target (rows, n) with the n of the transform", y, target);
  return loss_of(tape, y, weight, [&](float* gradient) {
    const ArenaScope scope(tape.arena());
    float* difference = tape.floats(y.count());
    float* scratch = tape.floats(fft.scratch_floats());
    kernels::combine(y.count(), 1.0f, y.data, -1.0f, target.data, false, difference);
    return fft.sum_of_moduli(difference, y.shape[0], weight, gradient, scratch);
  });
}

}  // namespace pulsecast::autodiff
