// The part of a convolution's kernel that lies on the image at some position: a kernel may reach
// further than the image does.
#pragma once

#include <cstddef>

#include "pulsecast/kernels/convolution/convolution_shape.h"

namespace pulsecast::kernels {

class KernelCrop {
 public:
  explicit KernelCrop(const ConvolutionShape& whole);

  const ConvolutionShape& whole() const { return whole_; }
  // The convolution with what is left of the kernel.
  const ConvolutionShape& shape() const { return shape_; }
  bool is_smaller() const { return is_smaller_; }

  // Floats of the weight that is left, in whole lines; none where it is the whole.
  std::size_t weight_floats() const;
  // What is left of a weight, in `memory` unless it is the whole.
  const float* weight(const float* whole, float* memory) const;
  // The gradient of what is left, put where that of the whole weight belongs.
  void spread_gradient(const float* part, Gradient to) const;

 private:
  // Taps along one side that reach from one of its ends to the other.
  struct Taps {
    std::size_t first;
    std::size_t count;
  };
  static Taps useful_taps(std::size_t size, std::size_t kernel, std::size_t pad);
  // body(where a row of taps lies in the whole kernel, where in what is left).
  template <typename Body>
  void for_rows(Body body) const;

  ConvolutionShape whole_;
  Taps rows_;
  Taps columns_;
  ConvolutionShape shape_;
  bool is_smaller_ = false;
};

}  // namespace pulsecast::kernels
