#include "pulsecast/testing/reference/convolution.h"

#include <vector>

namespace pulsecast::kernels::reference {
namespace {

// body(index into x, index into weight, index into y) for every product in the definition.
template <typename Body>
void for_products(const ConvolutionShape& s, Body body) {
  for (std::size_t n = 0; n < s.samples; ++n) {
    for (std::size_t o = 0; o < s.out; ++o) {
      for (std::size_t oy = 0; oy < s.out_height(); ++oy) {
        for (std::size_t ox = 0; ox < s.out_width(); ++ox) {
          const std::size_t y_index = ((n * s.out + o) * s.out_height() + oy) * s.out_width() + ox;
          for (std::size_t i = 0; i < s.in; ++i) {
            for (std::size_t ky = 0; ky < s.kernel_height; ++ky) {
              for (std::size_t kx = 0; kx < s.kernel_width; ++kx) {
                const std::size_t py = oy + ky;
                const std::size_t px = ox + kx;
                if (py < s.pad_height || py >= s.height + s.pad_height || px < s.pad_width ||
                    px >= s.width + s.pad_width) {
                  continue;
                }
                body(((n * s.in + i) * s.height + py - s.pad_height) * s.width + px - s.pad_width,
                     ((o * s.in + i) * s.kernel_height + ky) * s.kernel_width + kx, y_index);
              }
            }
          }
        }
      }
    }
  }
}

std::vector<float> rounded(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

void convolution(const ConvolutionShape& s, const float* x, const float* weight, const float* bias,
                 float* y) {
  std::vector<double> sums(s.samples * s.out * s.positions());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] = bias == nullptr ? 0.0 : bias[i / s.positions() % s.out];
  }
  for_products(s, [&](std::size_t xi, std::size_t wi, std::size_t yi) {
    sums[yi] += static_cast<double>(x[xi]) * weight[wi];
  });
  std::copy(sums.begin(), sums.end(), y);
}

void convolution_backward(const ConvolutionShape& s, const float* x, const float* weight,
                          const float* grad_y, float* grad_x, float* grad_weight,
                          float* grad_bias) {
  std::vector<double> gx(s.samples * s.in * s.height * s.width);
  std::vector<double> gw(s.out * s.window());
  std::vector<double> gb(s.out);
  for_products(s, [&](std::size_t xi, std::size_t wi, std::size_t yi) {
    gx[xi] += static_cast<double>(grad_y[yi]) * weight[wi];
    gw[wi] += static_cast<double>(grad_y[yi]) * x[xi];
  });
  for (std::size_t i = 0; i < s.samples * s.out * s.positions(); ++i) {
    gb[i / s.positions() % s.out] += grad_y[i];
  }
  const auto copy = [](const std::vector<double>& from, float* to) {
    const std::vector<float> values = rounded(from);
    std::copy(values.begin(), values.end(), to);
  };
  copy(gx, grad_x);
  copy(gw, grad_weight);
  copy(gb, grad_bias);
}

}  // namespace pulsecast::kernels::reference
