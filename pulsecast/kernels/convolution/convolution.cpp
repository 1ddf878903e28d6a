#include "pulsecast/kernels/convolution/convolution.h"

#include <algorithm>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/convolution/direct_convolution.h"
#include "pulsecast/kernels/convolution/spectral_convolution.h"
#include "pulsecast/kernels/products/shared_sums.h"

namespace pulsecast::kernels {
namespace {

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

ConvolutionPlan::ConvolutionPlan(const ConvolutionShape& shape)
    : crop_(shape),
      tiles_(cheapest_tiles(crop_.shape())),
      is_spectral_(is_spectral_cheaper(tiles_)) {}

std::size_t convolution_scratch_floats(const ConvolutionPlan& plan, const Team& team) {
  const std::size_t inner = plan.is_spectral()
                                ? spectral_convolution_scratch_floats(plan.tiles(), team)
                                : direct_convolution_scratch_floats(plan.crop().shape(), team);
  return std::max(2 * plan.crop().weight_floats() + inner,
                  team.workers() * whole_lines(plan.shape().positions()));
}

void convolution(const ConvolutionPlan& plan, const float* x, const float* weight,
                 const float* bias, float* y, float* scratch, const Team& team) {
  const profile::Scope scope("convolution");
  const float* part = plan.crop().weight(weight, scratch);
  float* rest = scratch + plan.crop().weight_floats();
  if (plan.is_spectral()) {
    spectral_convolution(plan.tiles(), x, part, bias, y, rest, team);
  } else {
    direct_convolution(plan.crop().shape(), x, part, bias, y, rest, team);
  }
}

void convolution_backward(const ConvolutionPlan& plan, const float* x, const float* weight,
                          const float* grad_y, const ConvolutionGradients& gradients,
                          float* scratch, const Team& team) {
  const profile::Scope scope("convolution");
  if (gradients.bias.data != nullptr) {
    bias_gradient(plan.shape(), grad_y, gradients.bias, scratch, team);
  }
  const KernelCrop& crop = plan.crop();
  const float* part = crop.weight(weight, scratch);
  float* part_gradient = scratch + crop.weight_floats();
  float* rest = part_gradient + crop.weight_floats();
  ConvolutionGradients inner{gradients.x, gradients.weight, {}};
  const bool is_spread = crop.is_smaller() && gradients.weight.data != nullptr;
  if (is_spread) inner.weight = {part_gradient, false};
  if (plan.is_spectral()) {
    spectral_convolution_backward(plan.tiles(), x, part, grad_y, inner, rest, team);
  } else {
    direct_convolution_backward(crop.shape(), x, part, grad_y, inner, rest, team);
  }
  if (is_spread) crop.spread_gradient(part_gradient, gradients.weight);
}

}  // namespace pulsecast::kernels
