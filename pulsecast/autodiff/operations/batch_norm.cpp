#include "pulsecast/autodiff/operations/batch_norm.h"

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/kernels/normalise/batch_norm.h"

namespace pulsecast::autodiff {
namespace {

double* scratch_of(Tape& tape, std::size_t width) {
  return tape.arena().allocate<double>(kernels::batch_norm_scratch_doubles(width)).data();
}

}  // namespace

BatchNormalised batch_norm(Tape& tape, const Tensor& x, const Tensor& gamma, const Tensor& beta) {
  const std::size_t width = x.shape.width();
  require(x.shape.rank() >= 2 && gamma.shape == Shape{width} && beta.shape == Shape{width},
          "batch_norm", "x (..., width), gamma and beta (width)", x, gamma, beta);
  const std::size_t rows = x.shape.rows();
  const bool tracked = tape.tracks(x, gamma, beta);
  const BatchNormalised result{tape.result(x.shape, tracked), tape.result({width}, false),
                               tape.result({width}, false)};
  const auto scratch = [&tape, width] { return scratch_of(tape, width); };
  {
    const ArenaScope scope(tape.arena());
    kernels::batch_norm(rows, width, x.data, gamma.data, beta.data, result.values.data,
                        result.mean.data, result.variance.data, scratch(), tape.team());
  }
  if (tracked) {
    tape.note([&tape, rows, width, x, gamma, beta, result, scratch] {
      const float* g = Tape::incoming(result.values);
      if (g == nullptr) return;
      const kernels::BatchNormGradients gradients{tape.outgoing(x), tape.outgoing(gamma),
                                                  tape.outgoing(beta)};
      const ArenaScope scope(tape.arena());
      kernels::batch_norm_backward(rows, width, x.data, gamma.data, result.mean.data,
                                   result.variance.data, g, gradients, scratch(), tape.team());
    });
  }
  return result;
}

Tensor batch_norm_frozen(Tape& tape, const Tensor& x, const Tensor& gamma, const Tensor& beta,
                         const Tensor& mean, const Tensor& variance) {
  const Shape width{x.shape.width()};
  require(x.shape.rank() >= 2 && gamma.shape == width && beta.shape == width &&
              mean.shape == width && variance.shape == width && !tape.tracks(x, gamma, beta),
          "batch_norm_frozen", "x (..., width) and four of (width), in inference", x, gamma, beta,
          mean, variance);
  const Tensor y = tape.result(x.shape, false);
  const ArenaScope scope(tape.arena());
  kernels::batch_norm_frozen(x.shape.rows(), x.shape.width(), x.data, gamma.data, beta.data,
                             mean.data, variance.data, y.data, scratch_of(tape, x.shape.width()));
  return y;
}

}  // namespace pulsecast::autodiff
