#include "pulsecast/autodiff/operations/layer_norm.h"

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/autodiff/operations/shared_pass.h"
#include "pulsecast/kernels/normalise/layer_norm.h"

namespace pulsecast::autodiff {
namespace {

// Rows by parts; what is summed over rows is summed a part, and the parts in their order.
void backward_rows(Tape& tape, std::size_t rows, std::size_t width, const float* normalised,
                   const float* inverse_deviation, const float* gamma, const float* g,
                   const kernels::LayerNormGradients& gradients) {
  const std::size_t parts = tape.team().parts(rows, kernels::pass_rows(width));
  if (parts == 1) {
    kernels::layer_norm_backward(rows, width, normalised, inverse_deviation, gamma, g, gradients);
    return;
  }
  const ArenaScope scope(tape.arena());
  float* gammas = tape.floats(parts * width);
  float* betas = tape.floats(parts * width);
  tape.team().run(parts, rows, [&](const Team::Part& part) {
    const std::size_t at = part.first * width;
    const auto partial = [&](const kernels::Gradient& whole, float* sums) {
      return kernels::Gradient{whole.data == nullptr ? nullptr : sums + part.index * width, false};
    };
    kernels::layer_norm_backward(
        part.count, width, normalised + at, inverse_deviation + part.first, gamma, g + at,
        {from(gradients.x, at), partial(gradients.gamma, gammas), partial(gradients.beta, betas)});
  });
  if (gradients.gamma.data != nullptr) {
    kernels::add_partial_sums(parts, width, gammas, gradients.gamma);
  }
  if (gradients.beta.data != nullptr) {
    kernels::add_partial_sums(parts, width, betas, gradients.beta);
  }
}

}  // namespace

Tensor layer_norm(Tape& tape, const Tensor& x, const Tensor& gamma, const Tensor& beta) {
  const std::size_t width = x.shape.width();
  const std::size_t rows = x.shape.rows();
  require(x.shape.rank() >= 1 && gamma.shape == Shape{width} && beta.shape == Shape{width},
          "layer_norm", "x (..., width), gamma (width) and beta (width)", x, gamma, beta);
  const bool tracked = tape.tracks(x, gamma, beta);
  const Tensor y = tape.result(x.shape, tracked);
  float* normalised = tracked ? tape.floats(x.count()) : nullptr;
  float* inverse_deviation = tracked ? tape.floats(rows) : nullptr;
  share_rows(tape, rows, width, [&](std::size_t first, std::size_t count) {
    const std::size_t at = first * width;
    kernels::layer_norm(count, width, x.data + at, gamma.data, beta.data, y.data + at,
                        tracked ? normalised + at : nullptr,
                        tracked ? inverse_deviation + first : nullptr);
  });
  if (tracked) {
    tape.note([&tape, rows, width, x, gamma, beta, y, normalised, inverse_deviation] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::LayerNormGradients gradients{tape.outgoing(x), tape.outgoing(gamma),
                                                  tape.outgoing(beta)};
      backward_rows(tape, rows, width, normalised, inverse_deviation, gamma.data, g, gradients);
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
