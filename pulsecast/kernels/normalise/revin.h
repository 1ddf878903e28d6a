// Reversible normalisation of what is left of a row once its anchor is taken away:
//
//   r = x - anchor,  unit = (r - mean) / deviation,  y = unit * gamma + beta + anchor
//
// mean = sum(r)/n, deviation = sqrt(unbiased variance + eps), both of the row; gamma and beta are
// of its channel. Mean and deviation are outputs too, with gradients of their own: they come back
// in the forecast. One pass over a row while it is in the first-level cache, in place of five over
// the whole.
#pragma once

#include <cstddef>

#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

inline constexpr float kRevinEpsilon = 1e-5f;

// Rows are (sample, channel) pairs with the channel running fastest: row r is of channel
// r mod channels.
struct RevinShape {
  std::size_t rows;
  std::size_t width;  // at least 2
  std::size_t channels;
};

// x (rows, width), anchor (rows, width) or null, gamma and beta (channels) -> y (rows, width), mean
// and deviation (rows), and unit (rows, width), which backward needs, unless it is null.
void revin(const RevinShape& shape, const float* x, const float* anchor, const float* gamma,
           const float* beta, float* y, float* unit, float* mean, float* deviation);

// What came back; any may be null, which is zero.
struct RevinIncoming {
  const float* y;          // (rows, width)
  const float* mean;       // (rows)
  const float* deviation;  // (rows)
};
struct RevinGradients {
  Gradient x;       // (rows, width), may be null
  Gradient anchor;  // (rows, width), may be null
  float* gamma;     // (rows): of each row, to be summed over those of a channel
  float* beta;      // (rows)
};
void revin_backward(const RevinShape& shape, const float* unit, const float* deviation,
                    const float* gamma, const RevinIncoming& incoming,
                    const RevinGradients& gradients);

}  // namespace pulsecast::kernels
