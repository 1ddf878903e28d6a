// Batch normalisation: each column to mean 0 and deviation 1 by the statistics of all rows, then a
// factor and a shift of its own.
//
//   y = (x - mean) / sqrt(var + eps) * gamma + beta, with the population variance
//
// Sums are in double, over the rows of a part in their order and over parts in theirs, so the
// result does not depend on who computes it.
#pragma once

#include <cstddef>

#include "pulsecast/base/team.h"
#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

inline constexpr double kBatchNormEpsilon = 1e-5;

inline std::size_t batch_norm_scratch_doubles(std::size_t width) {
  return (3 + 2 * Team::kMostParts) * width;
}

// x (rows, width), gamma and beta (width) -> y (rows, width), mean (width) and the population
// variance (width). `scratch` has batch_norm_scratch_doubles, here and below.
void batch_norm(std::size_t rows, std::size_t width, const float* x, const float* gamma,
                const float* beta, float* y, float* mean, float* variance, double* scratch,
                const Team& team = {});

struct BatchNormGradients {
  Gradient x;
  Gradient gamma;
  Gradient beta;
};

// The mean and the variance are functions of x, and x's gradient goes through them.
void batch_norm_backward(std::size_t rows, std::size_t width, const float* x, const float* gamma,
                         const float* mean, const float* variance, const float* grad_y,
                         const BatchNormGradients& gradients, double* scratch,
                         const Team& team = {});

// By statistics from elsewhere: a fixed map of each value.
void batch_norm_frozen(std::size_t rows, std::size_t width, const float* x, const float* gamma,
                       const float* beta, const float* mean, const float* variance, float* y,
                       double* scratch, const Team& team = {});

}  // namespace pulsecast::kernels
