// Convolution with stride one and zero padding: 2-D, and 1-D as images of height one.
//
// Parts of a kernel that never lie on the image are left out. What remains is done as it is defined
// (direct_convolution.h) or, where the kernel is so large that it is cheaper, over the spectrum
// (spectral_convolution.h).
#pragma once

#include <cstddef>

#include "pulsecast/base/team.h"
#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

struct ConvolutionShape {
  std::size_t samples;
  std::size_t in;   // channels
  std::size_t out;  // channels
  std::size_t height;
  std::size_t width;
  std::size_t kernel_height;
  std::size_t kernel_width;
  std::size_t pad_height;  // zeros on either side, at most kernel - 1
  std::size_t pad_width;

  std::size_t out_height() const { return height + 2 * pad_height - kernel_height + 1; }
  std::size_t out_width() const { return width + 2 * pad_width - kernel_width + 1; }
  std::size_t positions() const { return out_height() * out_width(); }
  std::size_t window() const { return in * kernel_height * kernel_width; }
  // Multiplications of the definition, those with padding among them.
  std::size_t products() const { return samples * out * positions() * window(); }
};

// Floats of scratch, 64-byte aligned, that each call below needs.
std::size_t convolution_scratch_floats(const ConvolutionShape& shape, const Team& team = {});

// x (samples, in, height, width), weight (out, in, kernel_height, kernel_width), bias (out) or null
// -> y (samples, out, out_height, out_width).
void convolution(const ConvolutionShape& shape, const float* x, const float* weight,
                 const float* bias, float* y, float* scratch, const Team& team = {});

struct ConvolutionGradients {
  Gradient x;
  Gradient weight;
  Gradient bias;
};

void convolution_backward(const ConvolutionShape& shape, const float* x, const float* weight,
                          const float* grad_y, const ConvolutionGradients& gradients,
                          float* scratch, const Team& team = {});

// For kernels that cut their scratch into pieces: floats of whole cache lines.
constexpr std::size_t whole_lines(std::size_t floats) { return (floats + 15) / 16 * 16; }

}  // namespace pulsecast::kernels
