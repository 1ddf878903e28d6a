#include "pulsecast/testing/reference/linear.h"

#include <vector>

#include "pulsecast/testing/reference/gelu.h"

namespace pulsecast::kernels::reference {
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

}  // namespace pulsecast::kernels::reference
