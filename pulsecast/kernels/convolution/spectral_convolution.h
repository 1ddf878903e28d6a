// Convolution as a product of spectra, for kernels that are large beside their image.
//
// Long sides are cut into tiles (image_tiles.h), and each tile is one transform
// (tile_convolution.h).
#pragma once

#include "pulsecast/base/team.h"
#include "pulsecast/kernels/convolution/convolution_shape.h"
#include "pulsecast/kernels/convolution/image_tiles.h"

namespace pulsecast::kernels {

// The cheapest of some ways to cut a convolution into tiles of about equal sides.
ImageTiles cheapest_tiles(const ConvolutionShape& shape);
// Than the direct way, by an estimate of what either takes.
bool is_spectral_cheaper(const ImageTiles& tiles);

// Floats of scratch, 64-byte aligned, that each call below needs.
std::size_t spectral_convolution_scratch_floats(const ImageTiles& tiles, const Team& team);

// The convolution that was cut into the tiles.
void spectral_convolution(const ImageTiles& tiles, const float* x, const float* weight,
                          const float* bias, float* y, float* scratch, const Team& team);

// The gradient of the bias is left to the caller.
void spectral_convolution_backward(const ImageTiles& tiles, const float* x, const float* weight,
                                   const float* grad_y, const ConvolutionGradients& gradients,
                                   float* scratch, const Team& team);

}  // namespace pulsecast::kernels
