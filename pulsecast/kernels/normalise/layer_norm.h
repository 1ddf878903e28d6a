// Layer normalisation over the last dimension: y = (x - mean) / sqrt(var + eps) * gamma + beta,
// with the population variance.
#pragma once

#include <cstddef>

#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

inline constexpr float kLayerNormEpsilon = 1e-5f;

// x (rows, width), gamma and beta (width) -> y (rows, width). Where they are not null, normalised
// (rows, width) receives the result before gamma and beta, and inverse_deviation (rows) the factor.
void layer_norm(std::size_t rows, std::size_t width, const float* x, const float* gamma,
                const float* beta, float* y, float* normalised, float* inverse_deviation);

struct LayerNormGradients {
  Gradient x;
  Gradient gamma;
  Gradient beta;
};

void layer_norm_backward(std::size_t rows, std::size_t width, const float* normalised,
                         const float* inverse_deviation, const float* gamma, const float* grad_y,
                         const LayerNormGradients& gradients);

}  // namespace pulsecast::kernels
