// The convolution of images that one transform takes in.
//
// Every image and every kernel is transformed (image_transform.h); each frequency is then one small
// matrix product over the channels, whatever the size of the kernel. Images are continued with
// zeros just so far that nothing comes round the edge.
#pragma once

#include "pulsecast/base/team.h"
#include "pulsecast/kernels/convolution/convolution_shape.h"

namespace pulsecast::kernels {

// An estimate of what a pass forward takes, in multiplications of large products.
std::size_t tile_convolution_cost(const ConvolutionShape& shape);

// Floats of scratch, 64-byte aligned, that each call below needs.
std::size_t tile_convolution_scratch_floats(const ConvolutionShape& shape, const Team& team);

void tile_convolution(const ConvolutionShape& shape, const float* x, const float* weight,
                      const float* bias, float* y, float* scratch, const Team& team);

// The gradient of the bias is left to the caller.
void tile_convolution_backward(const ConvolutionShape& shape, const float* x, const float* weight,
                               const float* grad_y, const ConvolutionGradients& gradients,
                               float* scratch, const Team& team);

}  // namespace pulsecast::kernels
