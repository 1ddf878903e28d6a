// Convolution as it is defined, by matrix products.
//
// The window of every output position is laid out as a column, a few samples at a time so that the
// columns stay in the second-level cache, and the rest is one matrix product. The gradient of the
// input is the same convolution of the gradient with the kernel turned round.
#pragma once

#include "pulsecast/base/team.h"
#include "pulsecast/kernels/convolution/convolution_shape.h"

namespace pulsecast::kernels {

// Floats of scratch, 64-byte aligned, that each call below needs.
std::size_t direct_convolution_scratch_floats(const ConvolutionShape& shape, const Team& team);

void direct_convolution(const ConvolutionShape& shape, const float* x, const float* weight,
                        const float* bias, float* y, float* scratch, const Team& team);

// The gradient of the bias is left to the caller.
void direct_convolution_backward(const ConvolutionShape& shape, const float* x, const float* weight,
                                 const float* grad_y, const ConvolutionGradients& gradients,
                                 float* scratch, const Team& team);

}  // namespace pulsecast::kernels
