// Convolution product by product, in double.
#pragma once

#include "pulsecast/kernels/convolution/convolution.h"

namespace pulsecast::kernels::reference {

void convolution(const ConvolutionShape& shape, const float* x, const float* weight,
                 const float* bias, float* y);
// Writes all three gradients.
void convolution_backward(const ConvolutionShape& shape, const float* x, const float* weight,
                          const float* grad_y, float* grad_x, float* grad_weight, float* grad_bias);

}  // namespace pulsecast::kernels::reference
