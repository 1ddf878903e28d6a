// Fully connected layers: y = f(x W' + b), f the identity or GELU. Weights as PyTorch keeps them.
#pragma once

#include <cstddef>

#include "pulsecast/base/team.h"
#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

struct LinearShape {
  std::size_t rows;
  std::size_t in;
  std::size_t out;
};

// Floats of scratch that the passes forward and backward need to share their work among a team;
// none for one thread alone.
std::size_t linear_scratch_floats(const LinearShape& shape, const Team& team);
std::size_t linear_backward_scratch_floats(const LinearShape& shape, const Team& team);

// x (rows, in), weight (out, in), bias (out) or null -> y (rows, out).
void linear(const LinearShape& shape, const float* x, const float* weight, const float* bias,
            float* y, float* scratch = nullptr, const Team& team = {});

// The same through GELU. Where slope (rows, out) is not null it receives the derivative of GELU
// at each output, which is all that the backward pass needs.
void linear_gelu(const LinearShape& shape, const float* x, const float* weight, const float* bias,
                 float* y, float* slope, float* scratch = nullptr, const Team& team = {});

struct LinearGradients {
  Gradient x;       // (rows, in)
  Gradient weight;  // (out, in)
  Gradient bias;    // (out)
};

// grad_y (rows, out).
void linear_backward(const LinearShape& shape, const float* x, const float* weight,
                     const float* grad_y, const LinearGradients& gradients,
                     float* scratch = nullptr, const Team& team = {});

// slope from linear_gelu; it is overwritten (it becomes the gradient before GELU).
void linear_gelu_backward(const LinearShape& shape, const float* x, const float* weight,
                          const float* grad_y, float* slope, const LinearGradients& gradients,
                          float* scratch = nullptr, const Team& team = {});

}  // namespace pulsecast::kernels
