// 1-D and 2-D convolution, stride one, zero padding.
#pragma once

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

// x (samples, in, width), weight (out, in, kernel), bias (out), padding on either side
// -> (samples, out, width + 2 padding - kernel + 1)
Tensor convolution_1d(Tape& tape, const Tensor& x, const Tensor& weight, const Tensor& bias,
                      std::size_t padding);
Tensor convolution_1d(Tape& tape, const Tensor& x, const Tensor& weight, std::size_t padding);

// x (samples, in, height, width), weight (out, in, kernel_height, kernel_width), bias (out)
Tensor convolution_2d(Tape& tape, const Tensor& x, const Tensor& weight, const Tensor& bias,
                      std::size_t pad_height, std::size_t pad_width);

// weight (out, in, k, k) -> (out, in, size, size) with zeros around it, the size odd: the same
// convolution, as a kernel that others can be added to. Where k is even there is one zero more
// before it than behind: padded by half the size, the result keeps its size, and what an even
// kernel lacks on one side is behind.
Tensor centre_kernel(Tape& tape, const Tensor& weight, std::size_t size);

}  // namespace pulsecast::autodiff
