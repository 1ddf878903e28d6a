#include "pulsecast/autodiff/operations/linear.h"

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/kernels/products/linear.h"

namespace pulsecast::autodiff {
namespace {

kernels::LinearShape checked_shape(const char* operation, const Tensor& x, const Tensor& weight,
                                   const Tensor* bias) {
  require(x.shape.rank() >= 1 && weight.shape.rank() == 2 && weight.shape[1] == x.shape.width(),
          operation, "x (..., in) and weight (out, in)", x, weight);
  require(bias == nullptr || bias->shape == Shape{weight.shape[0]}, operation,
          "weight (out, in) and bias (out)", weight, bias == nullptr ? weight : *bias);
  return {x.shape.rows(), weight.shape[1], weight.shape[0]};
}

Tensor affine_map(Tape& tape, const char* operation, const Tensor& x, const Tensor& weight,
                  const Tensor& bias) {
  const bool biased = bias.data != nullptr;
  const auto shape = checked_shape(operation, x, weight, biased ? &bias : nullptr);
  const bool tracked = tape.tracks(x, weight, bias);
  const Tensor y = tape.result(x.shape.with_width(shape.out), tracked);
  tape.spend(2 * shape.rows * shape.in * shape.out);
  {
    const ArenaScope scope(tape.arena());
    kernels::linear(shape, x.data, weight.data, bias.data, y.data,
                    tape.floats(linear_scratch_floats(shape, tape.team())), tape.team());
  }
  if (tracked) {
    tape.note([&tape, shape, x, weight, bias, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::LinearGradients gradients{tape.outgoing(x), tape.outgoing(weight),
                                               tape.outgoing(bias)};
      const ArenaScope scope(tape.arena());
      kernels::linear_backward(shape, x.data, weight.data, g, gradients,
                               tape.floats(linear_backward_scratch_floats(shape, tape.team())),
                               tape.team());
    });
  }
  return y;
}

}  // namespace

Tensor linear(Tape& tape, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return affine_map(tape, "linear", x, weight, bias);
}

Tensor linear(Tape& tape, const Tensor& x, const Tensor& weight) {
  return affine_map(tape, "linear", x, weight, Tensor{});
}

Tensor linear_gelu(Tape& tape, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const auto shape = checked_shape("linear_gelu", x, weight, &bias);
  const bool tracked = tape.tracks(x, weight, bias);
  const Tensor y = tape.result(x.shape.with_width(shape.out), tracked);
  tape.spend(2 * shape.rows * shape.in * shape.out);
  float* slope = tracked ? tape.floats(y.count()) : nullptr;
  {
    const ArenaScope scope(tape.arena());
    kernels::linear_gelu(shape, x.data, weight.data, bias.data, y.data, slope,
                         tape.floats(linear_scratch_floats(shape, tape.team())), tape.team());
  }
  if (tracked) {
    tape.note([&tape, shape, x, weight, bias, y, slope] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::LinearGradients gradients{tape.outgoing(x), tape.outgoing(weight),
                                               tape.outgoing(bias)};
      const ArenaScope scope(tape.arena());
      kernels::linear_gelu_backward(shape, x.data, weight.data, g, slope, gradients,
                                    tape.floats(linear_backward_scratch_floats(shape, tape.team())),
                                    tape.team());
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
