#include "pulsecast/kernels/products/linear.h"

#include <algorithm>

#include "pulsecast/kernels/pointwise/elementwise.h"
#include "pulsecast/kernels/pointwise/gelu.h"
#include "pulsecast/kernels/products/shared_gemm.h"
#include "pulsecast/kernels/products/shared_sums.h"

namespace pulsecast::kernels {
namespace {

void product_gradients(const LinearShape& s, const float* x, const float* weight,
                       const float* grad_y, const LinearGradients& gradients, float* scratch,
                       const Team& team) {
  if (const Gradient& to = gradients.weight; to.data != nullptr) {
    shared_gemm(team, Op::kTransposed, Op::kNormal, s.out, s.in, s.rows, grad_y, x, to.accumulate,
                to.data, scratch);
  }
  if (const Gradient& to = gradients.x; to.data != nullptr) {
    shared_gemm(team, Op::kNormal, Op::kNormal, s.rows, s.in, s.out, grad_y, weight, to.accumulate,
                to.data, scratch);
  }
}

void product(const LinearShape& s, const float* x, const float* weight, float* y, float* scratch,
             const Team& team) {
  shared_gemm(team, Op::kNormal, Op::kTransposed, s.rows, s.out, s.in, x, weight, false, y,
              scratch);
}

}  // namespace

std::size_t linear_scratch_floats(const LinearShape& s, const Team& team) {
  return shared_gemm_scratch_floats(team, s.rows, s.out, s.in);
}

std::size_t linear_backward_scratch_floats(const LinearShape& s, const Team& team) {
  if (team.is_alone()) return 0;
  return std::max({shared_gemm_scratch_floats(team, s.out, s.in, s.rows),
                   shared_gemm_scratch_floats(team, s.rows, s.in, s.out),
                   shared_sums_scratch_floats(team, s.rows, s.out)});
}

void linear(const LinearShape& s, const float* x, const float* weight, const float* bias, float* y,
            float* scratch, const Team& team) {
  product(s, x, weight, y, scratch, team);
  if (bias == nullptr) return;
  team.split(s.rows, pass_rows(s.out), [&](const Team::Part& part) {
    float* own = y + part.first * s.out;
    add_bias(part.count, s.out, bias, own, own);
  });
}

void linear_gelu(const LinearShape& s, const float* x, const float* weight, const float* bias,
                 float* y, float* slope, float* scratch, const Team& team) {
  product(s, x, weight, y, scratch, team);
  team.split(s.rows, pass_rows(s.out), [&](const Team::Part& part) {
    const std::size_t first = part.first * s.out;
    float* own_slope = slope == nullptr ? nullptr : slope + first;
    if (bias != nullptr) {
      bias_gelu(part.count, s.out, bias, y + first, y + first, own_slope);
    } else {
      gelu(part.count * s.out, y + first, y + first, own_slope);
    }
  });
}

void linear_backward(const LinearShape& s, const float* x, const float* weight, const float* grad_y,
                     const LinearGradients& gradients, float* scratch, const Team& team) {
  if (gradients.bias.data != nullptr) {
    shared_column_sums(team, s.rows, s.out, grad_y, gradients.bias, scratch);
  }
  product_gradients(s, x, weight, grad_y, gradients, scratch, team);
}

void linear_gelu_backward(const LinearShape& s, const float* x, const float* weight,
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
