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

kernels::LinearWeight as_weight(const Tensor& weight) {
  return {weight.data, weight.packed == nullptr ? kernels::PackedWeight{} : *weight.packed};
}

// bias may be an empty tensor.
Tensor affine_map(Tape& tape, const char* operation, const Tensor& x, const Tensor& weight,
                  const Tensor& bias, bool through_gelu) {
  const auto shape = checked_shape(operation, x, weight, bias.data != nullptr ? &bias : nullptr);
  const bool tracked = tape.tracks(x, weight, bias);
  const Tensor y = tape.result(x.shape.with_width(shape.out), tracked);
  tape.spend(2 * shape.rows * shape.in * shape.out);
  float* slope = through_gelu && tracked ? tape.floats(y.count()) : nullptr;
  {
    const ArenaScope scope(tape.arena());
    float* scratch = tape.floats(linear_scratch_floats(shape, as_weight(weight)));
    if (through_gelu) {
      kernels::linear_gelu(shape, x.data, as_weight(weight), bias.data, y.data, slope, scratch,
                           tape.team());
    } else {
      kernels::linear(shape, x.data, as_weight(weight), bias.data, y.data, scratch, tape.team());
    }
  }
  if (tracked) {
    tape.note([&tape, shape, x, weight, bias, y, slope] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::LinearGradients gradients{tape.outgoing(x), tape.outgoing(weight),
                                               tape.outgoing(bias)};
      const ArenaScope scope(tape.arena());
      float* scratch =
          tape.floats(linear_backward_scratch_floats(shape, as_weight(weight), tape.team()));
      if (slope != nullptr) {
        kernels::linear_gelu_backward(shape, x.data, as_weight(weight), g, slope, gradients,
                                      scratch, tape.team());
      } else {
        kernels::linear_backward(shape, x.data, as_weight(weight), g, gradients, scratch,
                                 tape.team());
      }
    });
  }
  return y;
}

}  // namespace

Tensor linear(Tape& tape, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return affine_map(tape, "linear", x, weight, bias, false);
}

Tensor linear(Tape& tape, const Tensor& x, const Tensor& weight) {
  return affine_map(tape, "linear", x, weight, Tensor{}, false);
}

Tensor linear_gelu(Tape& tape, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return affine_map(tape, "linear_gelu", x, weight, bias, true);
}

}  // namespace pulsecast::autodiff
