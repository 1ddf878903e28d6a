// Fully connected layers: y = f(x W' + b), f the identity or GELU. Weights as PyTorch keeps them.
#pragma once

#include <cstddef>

#include "pulsecast/base/team.h"
#include "pulsecast/kernels/gradient.h"
#include "pulsecast/kernels/products/matrix_product.h"

namespace pulsecast::kernels {

struct LinearShape {
  std::size_t rows;
  std::size_t in;
  std::size_t out;
};

// A weight (out, in) in the two orders in which a layer multiplies with it.
struct PackedWeight {
  PackedMatrix transposed;  // (in, out), forward
  PackedMatrix plain;       // (out, in), backward
};

// A weight (out, in), and what was packed of it. What was not is packed into scratch by each call.
struct LinearWeight {
  const float* data;
  PackedWeight packed = {};
};

// Floats of scratch, 64-byte aligned, that the passes forward and backward need.
std::size_t linear_scratch_floats(const LinearShape& shape, const LinearWeight& weight);
std::size_t linear_backward_scratch_floats(const LinearShape& shape, const LinearWeight& weight,
                                           const Team& team = {});

// x (rows, in), weight (out, in), bias (out) or null -> y (rows, out).
void linear(const LinearShape& shape, const float* x, const LinearWeight& weight, const float* bias,
            float* y, float* scratch, const Team& team = {});

// The same through GELU. Where slope (rows, out) is not null it receives the derivative of GELU
// at each output, which is all that the backward pass needs.
void linear_gelu(const LinearShape& shape, const float* x, const LinearWeight& weight,
                 const float* bias, float* y, float* slope, float* scratch, const Team& team = {});

struct LinearGradients {
  Gradient x;       // (rows, in)
  Gradient weight;  // (out, in)
  Gradient bias;    // (out)
};

// grad_y (rows, out).
void linear_backward(const LinearShape& shape, const float* x, const LinearWeight& weight,
                     const float* grad_y, const LinearGradients& gradients, float* scratch,
                     const Team& team = {});

// slope from linear_gelu; it is overwritten (it becomes the gradient before GELU).
void linear_gelu_backward(const LinearShape& shape, const float* x, const LinearWeight& weight,
                          const float* grad_y, float* slope, const LinearGradients& gradients,
                          float* scratch, const Team& team = {});

}  // namespace pulsecast::kernels
