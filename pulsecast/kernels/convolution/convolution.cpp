#include "pulsecast/kernels/convolution/convolution.h"

#include <algorithm>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/convolution/direct_convolution.h"
#include "pulsecast/kernels/convolution/spectral_convolution.h"
#include "pulsecast/kernels/pointwise/rearrange.h"
#include "pulsecast/kernels/products/shared_sums.h"

namespace pulsecast::kernels {
namespace {

// The taps of a kernel that lie on the image at some position: those that reach from one of its
// ends to the other.
struct Taps {
  std::size_t first;
  std::size_t count;
};

Taps useful_taps(std::size_t size, std::size_t kernel, std::size_t pad) {
  const std::size_t first = pad > size - 1 ? pad - (size - 1) : 0;
  const std::size_t last = std::min(kernel - 1, pad + size - 1);
  return {first, last - first + 1};
}

// A convolution with the useful part of its kernel.
struct Cropped {
  explicit Cropped(const ConvolutionShape& s)
      : whole(s),
        rows(useful_taps(s.height, s.kernel_height, s.pad_height)),
        columns(useful_taps(s.width, s.kernel_width, s.pad_width)),
        shape(s) {
    if (rows.count * columns.count == s.kernel_height * s.kernel_width) return;
    // A tap that goes takes its padding along, so that what remains lies where it lay.
    shape.kernel_height = rows.count;
    shape.kernel_width = columns.count;
    shape.pad_height -= rows.first;
    shape.pad_width -= columns.first;
    // Where the two sides lose differently, one padding for both does not do.
    is_smaller = shape.out_height() == s.out_height() && shape.out_width() == s.out_width();
    if (!is_smaller) shape = s;
  }

  std::size_t weight_floats() const {
    return is_smaller ? whole_lines(shape.out * shape.window()) : 0;
  }

  // Between the whole kernel and what is left of it.
  void for_rows(auto body) const {
    for (std::size_t row = 0; row < rows.count; ++row) {
      body((rows.first + row) * whole.kernel_width + columns.first, row * columns.count);
    }
  }
  const float* weight(const float* from, float* memory) const {
    if (!is_smaller) return from;
    for_rows([&](std::size_t in_whole, std::size_t in_part) {
      copy_blocks(shape.out * shape.in, columns.count, whole.kernel_height * whole.kernel_width,
                  from + in_whole, rows.count * columns.count, false, memory + in_part);
    });
    return memory;
  }
  void spread_gradient(const float* part, Gradient to) const {
    if (!to.accumulate) std::fill_n(to.data, whole.out * whole.window(), 0.0f);
    for_rows([&](std::size_t in_whole, std::size_t in_part) {
      copy_blocks(shape.out * shape.in, columns.count, rows.count * columns.count, part + in_part,
                  whole.kernel_height * whole.kernel_width, true, to.data + in_whole);
    });
  }

  ConvolutionShape whole;
  Taps rows;
  Taps columns;
  ConvolutionShape shape;
  bool is_smaller = false;
};

// Sums run along the positions first, which vectorises; scratch holds one sum a position and
// worker.
void bias_gradient(const ConvolutionShape& s, const float* grad_y, Gradient to, float* scratch,
                   const Team& team) {
  const std::size_t positions = s.positions();
  team.split(s.out, pass_rows(s.samples * positions), [&](const Team::Part& part) {
    float* sums = scratch + part.worker * whole_lines(positions);
    for (std::size_t channel = part.first; channel < part.first + part.count; ++channel) {
      std::fill_n(sums, positions, 0.0f);
      for (std::size_t sample = 0; sample < s.samples; ++sample) {
        const float* from = grad_y + (sample * s.out + channel) * positions;
        for (std::size_t i = 0; i < positions; ++i) sums[i] += from[i];
      }
      float sum = to.accumulate ? to.data[channel] : 0.0f;
      for (std::size_t i = 0; i < positions; ++i) sum += sums[i];
      to.data[channel] = sum;
    }
  });
}

}  // namespace

std::size_t convolution_scratch_floats(const ConvolutionShape& s, const Team& team) {
  const Cropped cropped(s);
  const std::size_t inner = is_spectral_cheaper(cropped.shape)
                                ? spectral_convolution_scratch_floats(cropped.shape, team)
                                : direct_convolution_scratch_floats(cropped.shape, team);
  return std::max(2 * cropped.weight_floats() + inner, team.workers() * whole_lines(s.positions()));
}

void convolution(const ConvolutionShape& s, const float* x, const float* weight, const float* bias,
                 float* y, float* scratch, const Team& team) {
  const profile::Scope scope("convolution");
  const Cropped cropped(s);
  const float* part = cropped.weight(weight, scratch);
  float* rest = scratch + cropped.weight_floats();
  const auto work = is_spectral_cheaper(cropped.shape) ? spectral_convolution : direct_convolution;
  work(cropped.shape, x, part, bias, y, rest, team);
}

void convolution_backward(const ConvolutionShape& s, const float* x, const float* weight,
                          const float* grad_y, const ConvolutionGradients& gradients,
                          float* scratch, const Team& team) {
  const profile::Scope scope("convolution");
  if (gradients.bias.data != nullptr) bias_gradient(s, grad_y, gradients.bias, scratch, team);
  const Cropped cropped(s);
  const float* part = cropped.weight(weight, scratch);
  float* part_gradient = scratch + cropped.weight_floats();
  float* rest = part_gradient + cropped.weight_floats();
  ConvolutionGradients inner{gradients.x, gradients.weight, {}};
  const bool is_spread = cropped.is_smaller && gradients.weight.data != nullptr;
  if (is_spread) inner.weight = {part_gradient, false};
  const auto work = is_spectral_cheaper(cropped.shape) ? spectral_convolution_backward
                                                       : direct_convolution_backward;
  work(cropped.shape, x, part, grad_y, inner, rest, team);
  if (is_spread) cropped.spread_gradient(part_gradient, gradients.weight);
}

}  // namespace pulsecast::kernels
