// Convolution with stride one and zero padding: 2-D, and 1-D as images of height one.
//
// Parts of a kernel that never lie on the image are left out. What remains is done as it is defined
// (direct_convolution.h) or, where the kernel is so large that it is cheaper, over the spectrum
// (spectral_convolution.h). Which of them, and over what tiles, is a plan: it takes some thousand
// estimates, and is made once for the passes forward and back.
#pragma once

#include <cstddef>

#include "pulsecast/base/team.h"
#include "pulsecast/kernels/convolution/convolution_shape.h"
#include "pulsecast/kernels/convolution/image_tiles.h"
#include "pulsecast/kernels/convolution/kernel_crop.h"

namespace pulsecast::kernels {

// How a convolution is done. Plain data, a function of the shape alone.
class ConvolutionPlan {
 public:
  explicit ConvolutionPlan(const ConvolutionShape& shape);

  const ConvolutionShape& shape() const { return crop_.whole(); }
  const KernelCrop& crop() const { return crop_; }
  bool is_spectral() const { return is_spectral_; }
  // Of the cropped convolution; for the spectral way.
  const ImageTiles& tiles() const { return tiles_; }

 private:
  KernelCrop crop_;
  ImageTiles tiles_;
  bool is_spectral_;
};

// Floats of scratch, 64-byte aligned, that each call below needs.
std::size_t convolution_scratch_floats(const ConvolutionPlan& plan, const Team& team = {});

// x (samples, in, height, width), weight (out, in, kernel_height, kernel_width), bias (out) or null
// -> y (samples, out, out_height, out_width).
void convolution(const ConvolutionPlan& plan, const float* x, const float* weight,
                 const float* bias, float* y, float* scratch, const Team& team = {});

void convolution_backward(const ConvolutionPlan& plan, const float* x, const float* weight,
                          const float* grad_y, const ConvolutionGradients& gradients,
                          float* scratch, const Team& team = {});

}  // namespace pulsecast::kernels
