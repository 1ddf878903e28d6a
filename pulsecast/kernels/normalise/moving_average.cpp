#include "pulsecast/kernels/normalise/moving_average.h"

#include <algorithm>

namespace pulsecast::kernels {

std::size_t moving_average_scratch_doubles(std::size_t length, std::size_t window) {
  return length + 2 * window;
}

void moving_average(std::size_t rows, std::size_t length, std::size_t window, const float* x,
                    float* y, double* scratch) {
  const std::size_t half = window / 2;
  const double scale = 1.0 / static_cast<double>(window);
  // sums[i] is the sum of the first i values of the padded row.
  double* sums = scratch;
  for (std::size_t row = 0; row < rows; ++row, x += length, y += length) {
    double sum = 0.0;
    for (std::size_t i = 0; i < length + 2 * half; ++i) {
      sums[i] = sum;
      sum += static_cast<double>(x[i < half ? 0 : std::min(i - half, length - 1)]);
    }
    sums[length + 2 * half] = sum;
    for (std::size_t t = 0; t < length; ++t) {
      y[t] = static_cast<float>((sums[t + window] - sums[t]) * scale);
    }
  }
}

void moving_average_backward(std::size_t rows, std::size_t length, std::size_t window,
                             const float* grad_y, Gradient grad_x, double* scratch) {
  const std::size_t half = window / 2;
  const double scale = 1.0 / static_cast<double>(window);
  // Position i of the padded row is in the windows of steps i - 2 half to i, as far as there are
  // such; the padding belongs to the outermost values.
  double* sums = scratch;
  float* to = grad_x.data;
  for (std::size_t row = 0; row < rows; ++row, grad_y += length, to += length) {
    double sum = 0.0;
    for (std::size_t t = 0; t < length; ++t) {
      sums[t] = sum;
      sum += static_cast<double>(grad_y[t]);
    }
    sums[length] = sum;
    const auto padded = [&](std::size_t i) {
      const std::size_t begin = i < 2 * half ? 0 : i - 2 * half;
      return sums[std::min(i + 1, length)] - sums[std::min(begin, length)];
    };
    double first = 0.0, last = 0.0;
    for (std::size_t i = 0; i < half; ++i) {
      first += padded(i);
      last += padded(length + half + i);
    }
    for (std::size_t t = 0; t < length; ++t) {
      double value = padded(t + half);
      if (t == 0) value += first;
      if (t == length - 1) value += last;
      const auto gradient = static_cast<float>(value * scale);
      to[t] = grad_x.accumulate ? to[t] + gradient : gradient;
    }
  }
}

}  // namespace pulsecast::kernels
