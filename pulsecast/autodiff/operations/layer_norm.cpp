#include "pulsecast/autodiff/operations/layer_norm.h"

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/kernels/layer_norm.h"

namespace pulsecast::autodiff {

Tensor layer_norm(Tape& tape, const Tensor& x, const Tensor& gamma, const Tensor& beta) {
  const std::size_t width = x.shape.width();
  const std::size_t rows = x.shape.rows();
  require(x.shape.rank() >= 1 && gamma.shape == Shape{width} && beta.shape == Shape{width},
          "layer_norm", "x (..., width), gamma (width) and beta (width)", x, gamma, beta);
  const bool tracked = tape.tracks(x, gamma, beta);
  const Tensor y = tape.result(x.shape, tracked);
  float* normalised = tracked ? tape.floats(x.count()) : nullptr;
  float* inverse_deviation = tracked ? tape.floats(rows) : nullptr;
  kernels::layer_norm(rows, width, x.data, gamma.data, beta.data, y.data, normalised,
                      inverse_deviation);
  if (tracked) {
    tape.note([&tape, rows, width, x, gamma, beta, y, normalised, inverse_deviation] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      kernels::layer_norm_backward(rows, width, normalised, inverse_deviation, gamma.data, g,
                                   {tape.outgoing(x), tape.outgoing(gamma), tape.outgoing(beta)});
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
