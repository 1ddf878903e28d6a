#include "pulsecast/autodiff/operations/convolution.h"

#include <algorithm>

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/kernels/convolution/convolution.h"
#include "pulsecast/kernels/pointwise/rearrange.h"

namespace pulsecast::autodiff {
namespace {

// Padding may not reach past the kernel, and some position must be left.
bool fits(std::size_t size, std::size_t kernel, std::size_t padding) {
  return kernel >= 1 && padding < kernel && size + 2 * padding >= kernel;
}

Tensor convolve(Tape& tape, const kernels::ConvolutionShape& shape, const Shape& result,
                const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const bool tracked = tape.tracks(x, weight, bias);
  const Tensor y = tape.result(result, tracked);
  const kernels::ConvolutionPlan plan(shape);
  tape.spend(2 * shape.samples * shape.positions() * shape.out * shape.window());
  {
    const ArenaScope scope(tape.arena());
    kernels::convolution(plan, x.data, weight.data, bias.data, y.data,
                         tape.floats(convolution_scratch_floats(plan, tape.team())), tape.team());
  }
  if (tracked) {
    tape.note([&tape, plan, x, weight, bias, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::ConvolutionGradients gradients{tape.outgoing(x), tape.outgoing(weight),
                                                    tape.outgoing(bias)};
      const ArenaScope scope(tape.arena());
      kernels::convolution_backward(plan, x.data, weight.data, g, gradients,
                                    tape.floats(convolution_scratch_floats(plan, tape.team())),
                                    tape.team());
    });
  }
  return y;
}

}  // namespace

Tensor convolution_1d(Tape& tape, const Tensor& x, const Tensor& weight, std::size_t padding) {
  return convolution_1d(tape, x, weight, Tensor{}, padding);
}

Tensor convolution_1d(Tape& tape, const Tensor& x, const Tensor& weight, const Tensor& bias,
                      std::size_t padding) {
  require(x.shape.rank() == 3 && weight.shape.rank() == 3 && x.shape[1] == weight.shape[1] &&
              (bias.data == nullptr || bias.shape == Shape{weight.shape[0]}) &&
              fits(x.shape[2], weight.shape[2], padding),
          "convolution_1d",
          "x (samples, in, width), weight (out, in, kernel), bias (out), padding below the kernel",
          x, weight, bias);
  const kernels::ConvolutionShape shape{
      x.shape[0], x.shape[1], weight.shape[0], 1, x.shape[2], 1, weight.shape[2], 0, padding};
  return convolve(tape, shape, {shape.samples, shape.out, shape.out_width()}, x, weight, bias);
}

Tensor convolution_2d(Tape& tape, const Tensor& x, const Tensor& weight, const Tensor& bias,
                      std::size_t pad_height, std::size_t pad_width) {
  require(x.shape.rank() == 4 && weight.shape.rank() == 4 && x.shape[1] == weight.shape[1] &&
              bias.shape == Shape{weight.shape[0]} &&
              fits(x.shape[2], weight.shape[2], pad_height) &&
              fits(x.shape[3], weight.shape[3], pad_width),
          "convolution_2d",
          "x (samples, in, height, width), weight (out, in, kernel height, kernel width), "
          "bias (out), padding below the kernel",
          x, weight, bias);
  const kernels::ConvolutionShape shape{x.shape[0],      x.shape[1], weight.shape[0],
                                        x.shape[2],      x.shape[3], weight.shape[2],
                                        weight.shape[3], pad_height, pad_width};
  return convolve(tape, shape, {shape.samples, shape.out, shape.out_height(), shape.out_width()}, x,
                  weight, bias);
}

Tensor centre_kernel(Tape& tape, const Tensor& weight, std::size_t size) {
  const std::size_t k = weight.shape[2];
  require(weight.shape.rank() == 4 && weight.shape[3] == k && k <= size && size % 2 == 1,
          "centre_kernel", "weight (out, in, k, k), the size odd and k not above it", weight);
  const std::size_t maps = weight.shape[0] * weight.shape[1];
  const bool tracked = tape.tracks(weight);
  const Tensor y = tape.result({weight.shape[0], weight.shape[1], size, size}, tracked);
  std::fill_n(y.data, y.count(), 0.0f);
  const std::size_t margin = (size - k + 1) / 2;  // before it
  for (std::size_t i = 0; i < k; ++i) {
    kernels::copy_blocks(maps, k, k * k, weight.data + i * k, size * size, false,
                         y.data + (margin + i) * size + margin);
  }
  if (tracked) {
    tape.note([&tape, maps, k, size, margin, weight, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(weight);
      for (std::size_t i = 0; i < k; ++i) {
        kernels::copy_blocks(maps, k, size * size, g + (margin + i) * size + margin, k * k,
                             to.accumulate, to.data + i * k);
      }
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
