// What a convolution is of, and where its gradients go: for all ways to do it.
#pragma once

#include <cstddef>

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

struct ConvolutionGradients {
  Gradient x;
  Gradient weight;
  Gradient bias;
};

// For kernels that cut their scratch into pieces: floats of whole cache lines.
constexpr std::size_t whole_lines(std::size_t floats) { return (floats + 15) / 16 * 16; }

}  // namespace pulsecast::kernels
