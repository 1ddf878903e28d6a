#include "pulsecast/autodiff/operations/standardise.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/kernels/row_affine.h"
#include "pulsecast/kernels/standardise.h"

namespace pulsecast::autodiff {
namespace {

constexpr float kSmallestGamma = 1e-6f;

// Factor and shift of every row of a map y = x * factor + shift, from those of the channels.
struct RowMap {
  float* factor;  // (rows)
  float* shift;   // (rows)
};

float held(float gamma) {
  return std::abs(gamma) >= kSmallestGamma ? gamma : std::copysign(kSmallestGamma, gamma);
}

// y[row] = x[row] * factor[row] + shift[row] with gradients handed back per row; `back` turns those
// into gradients of whatever factor and shift were made of.
template <typename Back>
Tensor row_affine(Tape& tape, bool tracked, const Tensor& x, RowMap map, Back back) {
  const std::size_t rows = x.shape[0];
  const std::size_t width = x.shape[1];
  const Tensor y = tape.result(x.shape, tracked);
  kernels::row_affine(rows, width, x.data, map.factor, map.shift, y.data);
  if (tracked) {
    tape.note([&tape, rows, width, x, map, y, back] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to_x = tape.outgoing(x);
      float* grad_factor = tape.floats(rows);
      float* grad_shift = tape.floats(rows);
      kernels::row_affine_backward(rows, width, x.data, map.factor, g, to_x, grad_factor,
                                   grad_shift);
      back(grad_factor, grad_shift);
    });
  }
  return y;
}

void check_channels(const char* operation, const Tensor& x, const Tensor& gamma,
                    const Tensor& beta) {
  require(x.shape.rank() == 2 && gamma.shape.rank() == 1 && gamma.shape == beta.shape &&
              gamma.shape[0] > 0 && x.shape[0] % gamma.shape[0] == 0,
          operation, "x (samples * channels, width), gamma (channels) and beta (channels)", x,
          gamma, beta);
}

// Sums values of rows into their channels.
void add_to_channels(std::size_t rows, std::size_t channels, const float* values,
                     kernels::Gradient to) {
  if (to.data == nullptr) return;
  if (!to.accumulate) std::fill_n(to.data, channels, 0.0f);
  for (std::size_t row = 0; row < rows; ++row) to.data[row % channels] += values[row];
}

}  // namespace

Standardised standardise(Tape& tape, const Tensor& x) {
  require(x.shape.rank() == 2 && x.shape[1] >= 2, "standardise", "x (rows, width), width >= 2", x);
  const std::size_t rows = x.shape[0];
  const std::size_t width = x.shape[1];
  const bool tracked = tape.tracks(x);
  const Standardised s{tape.result(x.shape, tracked), tape.result({rows}, tracked),
                       tape.result({rows}, tracked)};
  kernels::standardise(rows, width, x.data, s.values.data, s.mean.data, s.deviation.data);
  if (tracked) {
    tape.note([&tape, rows, width, x, s] {
      const float* g = Tape::incoming(s.values);
      const float* g_mean = Tape::incoming(s.mean);
      const float* g_deviation = Tape::incoming(s.deviation);
      if (g == nullptr && g_mean == nullptr && g_deviation == nullptr) return;
      kernels::standardise_backward(rows, width, s.values.data, s.deviation.data, g, g_mean,
                                    g_deviation, tape.outgoing(x));
    });
  }
  return s;
}

Tensor destandardise(Tape& tape, const Tensor& x, const Tensor& mean, const Tensor& deviation) {
  require(x.shape.rank() == 2 && mean.shape == Shape{x.shape[0]} && mean.shape == deviation.shape,
          "destandardise", "x (rows, width), mean (rows) and deviation (rows)", x, mean, deviation);
  const bool tracked = tape.tracks(x, mean, deviation);
  const std::size_t rows = x.shape[0];
  return row_affine(
      tape, tracked, x, {deviation.data, mean.data},
      [&tape, rows, mean, deviation](const float* grad_factor, const float* grad_shift) {
        const auto pass = [&](const Tensor& input, const float* gradient) {
          const kernels::Gradient to = tape.outgoing(input);
          add_to_channels(rows, rows, gradient, to);
        };
        pass(deviation, grad_factor);
        pass(mean, grad_shift);
      });
}

Tensor affine(Tape& tape, const Tensor& x, const Tensor& gamma, const Tensor& beta) {
  check_channels("affine", x, gamma, beta);
  const std::size_t rows = x.shape[0];
  const std::size_t channels = gamma.shape[0];
  const RowMap map{tape.floats(rows), tape.floats(rows)};
  for (std::size_t row = 0; row < rows; ++row) {
    map.factor[row] = gamma.data[row % channels];
    map.shift[row] = beta.data[row % channels];
  }
  return row_affine(
      tape, tape.tracks(x, gamma, beta), x, map,
      [&tape, rows, channels, gamma, beta](const float* grad_factor, const float* grad_shift) {
        add_to_channels(rows, channels, grad_factor, tape.outgoing(gamma));
        add_to_channels(rows, channels, grad_shift, tape.outgoing(beta));
      });
}

Tensor inverse_affine(Tape& tape, const Tensor& x, const Tensor& gamma, const Tensor& beta) {
  check_channels("inverse_affine", x, gamma, beta);
  const std::size_t rows = x.shape[0];
  const std::size_t channels = gamma.shape[0];
  const RowMap map{tape.floats(rows), tape.floats(rows)};
  for (std::size_t row = 0; row < rows; ++row) {
    map.factor[row] = 1.0f / held(gamma.data[row % channels]);
    map.shift[row] = -beta.data[row % channels] * map.factor[row];
  }
  return row_affine(
      tape, tape.tracks(x, gamma, beta), x, map,
      [&tape, rows, channels, gamma, beta, map](float* grad_factor, float* grad_shift) {
        // factor = 1/gamma and shift = -beta/gamma, so d/dgamma = -(d factor + -beta d shift)
        // / gamma^2, and nothing where gamma is held; d/dbeta = -d shift / gamma.
        for (std::size_t row = 0; row < rows; ++row) {
          const float g = gamma.data[row % channels];
          const float b = beta.data[row % channels];
          const float squared = map.factor[row] * map.factor[row];
          const bool free = std::abs(g) >= kSmallestGamma;
          grad_factor[row] = free ? -(grad_factor[row] - b * grad_shift[row]) * squared : 0.0f;
          grad_shift[row] = -grad_shift[row] * map.factor[row];
        }
        add_to_channels(rows, channels, grad_factor, tape.outgoing(gamma));
        add_to_channels(rows, channels, grad_shift, tape.outgoing(beta));
      });
}

}  // namespace pulsecast::autodiff
