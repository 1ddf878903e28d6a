#include "pulsecast/autodiff/operations/revin.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/kernels/normalise/revin.h"
#include "pulsecast/kernels/normalise/row_affine.h"

namespace pulsecast::autodiff {
namespace {

constexpr float kSmallestGamma = 1e-6f;

float held(float gamma) {
  return std::abs(gamma) >= kSmallestGamma ? gamma : std::copysign(kSmallestGamma, gamma);
}

// Factor and shift of every row of a map around the anchor, and in backward their gradients.
struct RowMap {
  float* factor;  // (rows)
  float* shift;   // (rows)
};

// (x - anchor) * factor + shift + anchor; `back` turns the gradients of the rows' factors and
// shifts into those of whatever these were made of.
template <typename Back>
Tensor row_affine(Tape& tape, bool tracked, const Tensor& x, const Tensor& anchor, RowMap map,
                  Back back) {
  const std::size_t rows = x.shape[0];
  const std::size_t width = x.shape[1];
  const Tensor y = tape.result(x.shape, tracked);
  kernels::row_affine(rows, width, x.data, anchor.data, map.factor, map.shift, y.data);
  if (tracked) {
    tape.note([&tape, rows, width, x, anchor, map, y, back] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to_x = tape.outgoing(x);
      const kernels::Gradient to_anchor = tape.outgoing(anchor);
      const RowMap gradient{tape.floats(rows), tape.floats(rows)};
      kernels::row_affine_backward(rows, width, x.data, anchor.data, map.factor, g,
                                   {to_x, to_anchor, gradient.factor, gradient.shift});
      back(gradient);
    });
  }
  return y;
}

void check_anchored(const char* operation, const Tensor& x, const Tensor& anchor,
                    const ChannelAffine& affine) {
  const Tensor& gamma = affine.gamma;
  require(x.shape.rank() == 2 && gamma.shape.rank() == 1 && gamma.shape == affine.beta.shape &&
              gamma.shape[0] > 0 && x.shape[0] % gamma.shape[0] == 0,
          operation, "x (samples * channels, width), gamma (channels) and beta (channels)", x,
          gamma, affine.beta);
  require(anchor.data == nullptr || anchor.shape == x.shape, operation,
          "x and an anchor of its shape", x, anchor);
}

// Sums values of rows into their channels.
void add_to_channels(std::size_t rows, std::size_t channels, const float* values,
                     kernels::Gradient to) {
  if (to.data == nullptr) return;
  if (!to.accumulate) std::fill_n(to.data, channels, 0.0f);
  for (std::size_t row = 0; row < rows; ++row) to.data[row % channels] += values[row];
}

}  // namespace

Revin revin(Tape& tape, const Tensor& x, const Tensor& anchor, const ChannelAffine& affine) {
  check_anchored("revin", x, anchor, affine);
  require(x.shape[1] >= 2, "revin", "x (rows, width), width >= 2", x);
  const kernels::RevinShape shape{x.shape[0], x.shape[1], affine.gamma.shape[0]};
  const bool tracked = tape.tracks(x, anchor, affine.gamma, affine.beta);
  const Revin result{tape.result(x.shape, tracked), tape.result({shape.rows}, tracked),
                     tape.result({shape.rows}, tracked)};
  float* unit = tracked ? tape.floats(x.count()) : nullptr;
  kernels::revin(shape, x.data, anchor.data, affine.gamma.data, affine.beta.data,
                 result.values.data, unit, result.mean.data, result.deviation.data);
  if (tracked) {
    tape.note([&tape, shape, x, anchor, affine, result, unit] {
      const kernels::RevinIncoming incoming{Tape::incoming(result.values),
                                            Tape::incoming(result.mean),
                                            Tape::incoming(result.deviation)};
      if (incoming.y == nullptr && incoming.mean == nullptr && incoming.deviation == nullptr) {
        return;
      }
      const kernels::RevinGradients gradients{tape.outgoing(x), tape.outgoing(anchor),
                                              tape.floats(shape.rows), tape.floats(shape.rows)};
      kernels::revin_backward(shape, unit, result.deviation.data, affine.gamma.data, incoming,
                              gradients);
      add_to_channels(shape.rows, shape.channels, gradients.gamma, tape.outgoing(affine.gamma));
      add_to_channels(shape.rows, shape.channels, gradients.beta, tape.outgoing(affine.beta));
    });
  }
  return result;
}

Tensor revin_back(Tape& tape, const Tensor& x, const Tensor& anchor, const ChannelAffine& affine,
                  const Tensor& mean, const Tensor& deviation) {
  check_anchored("revin_back", x, anchor, affine);
  const std::size_t rows = x.shape[0];
  require(mean.shape == Shape{rows} && mean.shape == deviation.shape, "revin_back",
          "x (rows, width), mean (rows) and deviation (rows)", x, mean, deviation);
  const std::size_t channels = affine.gamma.shape[0];
  const RowMap map{tape.floats(rows), tape.floats(rows)};
  for (std::size_t row = 0; row < rows; ++row) {
    map.factor[row] = deviation.data[row] / held(affine.gamma.data[row % channels]);
    map.shift[row] = mean.data[row] - affine.beta.data[row % channels] * map.factor[row];
  }
  return row_affine(
      tape, tape.tracks(x, anchor, affine.gamma, affine.beta, mean, deviation), x, anchor, map,
      [&tape, rows, channels, affine, mean, deviation, map](RowMap gradient) {
        // factor = deviation / gamma and shift = mean - beta factor, so with d = d factor - beta
        // d shift: d/d deviation = d / gamma, d/d gamma = -d deviation / gamma^2 (nothing where
        // gamma is held), d/d mean = d shift, d/d beta = -d shift factor.
        add_to_channels(rows, rows, gradient.shift, tape.outgoing(mean));
        float* of_gamma = tape.floats(rows);
        for (std::size_t row = 0; row < rows; ++row) {
          const float gamma = affine.gamma.data[row % channels];
          const float d =
              gradient.factor[row] - affine.beta.data[row % channels] * gradient.shift[row];
          const float of_deviation = d / held(gamma);
          of_gamma[row] =
              std::abs(gamma) >= kSmallestGamma ? -of_deviation * map.factor[row] : 0.0f;
          gradient.factor[row] = of_deviation;
          gradient.shift[row] *= -map.factor[row];
        }
        add_to_channels(rows, rows, gradient.factor, tape.outgoing(deviation));
        add_to_channels(rows, channels, of_gamma, tape.outgoing(affine.gamma));
        add_to_channels(rows, channels, gradient.shift, tape.outgoing(affine.beta));
      });
}

Tensor scale_rows(Tape& tape, const Tensor& x, const Tensor& factor, const Tensor& shift) {
  require(x.shape.rank() == 2 && factor.shape == Shape{x.shape[0]} && factor.shape == shift.shape,
          "scale_rows", "x (rows, width), factor (rows) and shift (rows)", x, factor, shift);
  const std::size_t rows = x.shape[0];
  return row_affine(tape, tape.tracks(x, factor, shift), x, Tensor{}, {factor.data, shift.data},
                    [&tape, rows, factor, shift](RowMap gradient) {
                      add_to_channels(rows, rows, gradient.factor, tape.outgoing(factor));
                      add_to_channels(rows, rows, gradient.shift, tape.outgoing(shift));
                    });
}

}  // namespace pulsecast::autodiff
