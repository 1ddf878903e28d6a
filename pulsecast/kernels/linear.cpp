#include "pulsecast/kernels/linear.h"

#include <vector>

#include "pulsecast/kernels/elementwise.h"
#include "pulsecast/kernels/gelu.h"
#include "pulsecast/kernels/gemm.h"

namespace pulsecast::kernels {
namespace {

void product(const LinearShape& s, const float* x, const float* weight, float* y) {
  gemm(Op::kNormal, Op::kTransposed, s.rows, s.out, s.in, 1.0f, x, s.in, weight, s.in, 0.0f, y,
       s.out);
}

float beta(const Gradient& gradient) { return gradient.accumulate ? 1.0f : 0.0f; }

void product_gradients(const LinearShape& s, const float* x, const float* weight,
                       const float* grad_y, const LinearGradients& gradients) {
  if (gradients.weight.data != nullptr) {
    gemm(Op::kTransposed, Op::kNormal, s.out, s.in, s.rows, 1.0f, grad_y, s.out, x, s.in,
         beta(gradients.weight), gradients.weight.data, s.in);
  }
  if (gradients.x.data != nullptr) {
    gemm(Op::kNormal, Op::kNormal, s.rows, s.in, s.out, 1.0f, grad_y, s.out, weight, s.in,
         beta(gradients.x), gradients.x.data, s.in);
  }
}

}  // namespace

void linear(const LinearShape& s, const float* x, const float* weight, const float* bias,
            float* y) {
  product(s, x, weight, y);
  if (bias != nullptr) add_bias(s.rows, s.out, bias, y, y);
}

void linear_gelu(const LinearShape& s, const float* x, const float* weight, const float* bias,
                 float* y, float* slope) {
  product(s, x, weight, y);
  if (bias != nullptr) {
    bias_gelu(s.rows, s.out, bias, y, y, slope);
  } else {
    gelu(s.rows * s.out, y, y, slope);
  }
}

void linear_backward(const LinearShape& s, const float* x, const float* weight, const float* grad_y,
                     const LinearGradients& gradients) {
  if (gradients.bias.data != nullptr) {
    column_sums(s.rows, s.out, grad_y, gradients.bias.accumulate, gradients.bias.data);
  }
  product_gradients(s, x, weight, grad_y, gradients);
}

void linear_gelu_backward(const LinearShape& s, const float* x, const float* weight,
                          const float* grad_y, float* slope, const LinearGradients& gradients) {
  if (gradients.bias.data != nullptr) {
    multiply_and_column_sums(s.rows, s.out, grad_y, slope, slope, gradients.bias.accumulate,
                             gradients.bias.data);
  } else {
    multiply(s.rows * s.out, grad_y, slope, false, slope);
  }
  product_gradients(s, x, weight, slope, gradients);
}

namespace reference {
namespace {

double before_activation(const LinearShape& s, const float* x, const float* weight,
                         const float* bias, std::size_t row, std::size_t o) {
  double sum = bias == nullptr ? 0.0 : bias[o];
  for (std::size_t i = 0; i < s.in; ++i) {
    sum += static_cast<double>(x[row * s.in + i]) * weight[o * s.in + i];
  }
  return sum;
}

void put(const Gradient& gradient, const std::vector<double>& values) {
  if (gradient.data == nullptr) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    gradient.data[i] =
        static_cast<float>(values[i] + (gradient.accumulate ? gradient.data[i] : 0.0));
  }
}

}  // namespace

void linear(const LinearShape& s, const float* x, const float* weight, const float* bias,
            bool through_gelu, float* y) {
  for (std::size_t row = 0; row < s.rows; ++row) {
    for (std::size_t o = 0; o < s.out; ++o) {
      const double value = before_activation(s, x, weight, bias, row, o);
      y[row * s.out + o] = static_cast<float>(through_gelu ? gelu(value) : value);
    }
  }
}

void linear_backward(const LinearShape& s, const float* x, const float* weight, const float* bias,
                     bool through_gelu, const float* grad_y, const LinearGradients& gradients) {
  std::vector<double> grad_x(s.rows * s.in);
  std::vector<double> grad_weight(s.out * s.in);
  std::vector<double> grad_bias(s.out);
  for (std::size_t row = 0; row < s.rows; ++row) {
    for (std::size_t o = 0; o < s.out; ++o) {
      double g = grad_y[row * s.out + o];
      if (through_gelu) g *= gelu_slope(before_activation(s, x, weight, bias, row, o));
      grad_bias[o] += g;
      for (std::size_t i = 0; i < s.in; ++i) {
        grad_x[row * s.in + i] += g * weight[o * s.in + i];
        grad_weight[o * s.in + i] += g * x[row * s.in + i];
      }
    }
  }
  put(gradients.x, grad_x);
  put(gradients.weight, grad_weight);
  put(gradients.bias, grad_bias);
}

}  // namespace reference
}  // namespace pulsecast::kernels
