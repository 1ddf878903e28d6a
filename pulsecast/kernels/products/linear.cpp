#include "pulsecast/kernels/products/linear.h"

#include <algorithm>

#include "pulsecast/kernels/pointwise/elementwise.h"
#include "pulsecast/kernels/products/shared_product.h"
#include "pulsecast/kernels/products/shared_sums.h"

namespace pulsecast::kernels {
namespace {

// What was packed before, or what is now packed into scratch.
PackedMatrix transposed(const LinearShape& s, const LinearWeight& weight, float* scratch) {
  if (weight.packed.transposed.data != nullptr) return weight.packed.transposed;
  return pack_matrix(s.in, s.out, {weight.data, s.in, true}, scratch);
}
PackedMatrix plain(const LinearShape& s, const LinearWeight& weight, float* scratch) {
  if (weight.packed.plain.data != nullptr) return weight.packed.plain;
  return pack_matrix(s.out, s.in, {weight.data, s.in}, scratch);
}

void product_gradients(const LinearShape& s, const float* x, const LinearWeight& weight,
                       const float* grad_y, const LinearGradients& gradients, float* scratch,
                       const Team& team) {
  if (gradients.weight.data != nullptr) {
    shared_product(team, s.out, s.in, s.rows, {grad_y, s.out, true}, {x, s.in}, gradients.weight,
                   scratch);
  }
  if (const Gradient& to = gradients.x; to.data != nullptr) {
    shared_product(team, s.rows, {grad_y, s.out}, plain(s, weight, scratch),
                   {.data = to.data, .stride = s.in, .accumulate = to.accumulate});
  }
}

}  // namespace

std::size_t linear_scratch_floats(const LinearShape& s, const LinearWeight& weight) {
  return weight.packed.transposed.data != nullptr ? 0 : packed_floats(s.in, s.out);
}

std::size_t linear_backward_scratch_floats(const LinearShape& s, const LinearWeight& weight,
                                           const Team& team) {
  return std::max({shared_product_scratch_floats(team, s.out, s.in, s.rows),
                   weight.packed.plain.data != nullptr ? 0 : packed_floats(s.out, s.in),
                   shared_sums_scratch_floats(team, s.rows, s.out)});
}

void linear(const LinearShape& s, const float* x, const LinearWeight& weight, const float* bias,
            float* y, float* scratch, const Team& team) {
  shared_product(team, s.rows, {x, s.in}, transposed(s, weight, scratch),
                 {.data = y, .stride = s.out, .bias = bias});
}

void linear_gelu(const LinearShape& s, const float* x, const LinearWeight& weight,
                 const float* bias, float* y, float* slope, float* scratch, const Team& team) {
  shared_product(team, s.rows, {x, s.in}, transposed(s, weight, scratch),
                 {.data = y, .stride = s.out, .bias = bias, .through_gelu = true, .slope = slope});
}

void linear_backward(const LinearShape& s, const float* x, const LinearWeight& weight,
                     const float* grad_y, const LinearGradients& gradients, float* scratch,
                     const Team& team) {
  if (gradients.bias.data != nullptr) {
    shared_column_sums(team, s.rows, s.out, grad_y, gradients.bias, scratch);
  }
  product_gradients(s, x, weight, grad_y, gradients, scratch, team);
}

void linear_gelu_backward(const LinearShape& s, const float* x, const LinearWeight& weight,
                          const float* grad_y, float* slope, const LinearGradients& gradients,
                          float* scratch, const Team& team) {
  const auto multiply_rows = [&](const Team::Part& part, Gradient sums) {
    const std::size_t first = part.first * s.out;
    if (sums.data != nullptr) {
      multiply_and_column_sums(part.count, s.out, grad_y + first, slope + first, slope + first,
                               sums.accumulate, sums.data);
    } else {
      multiply(part.count * s.out, grad_y + first, slope + first, false, slope + first);
    }
  };
  if (gradients.bias.data != nullptr) {
    shared_sums(team, s.rows, s.out, gradients.bias, scratch, multiply_rows);
  } else {
    team.split(s.rows, pass_rows(s.out),
               [&](const Team::Part& part) { multiply_rows(part, Gradient{}); });
  }
  product_gradients(s, x, weight, slope, gradients, scratch, team);
}

}  // namespace pulsecast::kernels
