// Convolution as a product of spectra, for kernels that are large beside their image.
//
// Long sides are cut into tiles (image_tiles.h), and each tile is one transform
// (tile_convolution.h).
#pragma once

#include "pulsecast/kernels/convolution/convolution.h"

namespace pulsecast::kernels {

// By an estimate of what either way takes.
bool is_spectral_cheaper(const ConvolutionShape& shape);

// Floats of scratch, 64-byte aligned, that each call below needs.
std::size_t spectral_convolution_scratch_floats(const ConvolutionShape& shape, const Team& team);

void spectral_convolution(const ConvolutionShape& shape, const float* x, const float* weight,
                          const float* bias, float* y, float* scratch, const Team& team);

// The gradient of the bias is left to the caller.
void spectral_convolution_backward(const ConvolutionShape& shape, const float* x,
                                   const float* weight, const float* grad_y,
                                   const ConvolutionGradients& gradients, float* scratch,
                                   const Team& team);

}  // namespace pulsecast::kernels
