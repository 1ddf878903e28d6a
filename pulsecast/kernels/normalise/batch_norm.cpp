#include "pulsecast/kernels/normalise/batch_norm.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/products/shared_sums.h"

namespace pulsecast::kernels {
namespace {

// A variance out of a file may be anything.
double inverse_deviation(float variance) {
  return 1.0 / std::sqrt(std::max(static_cast<double>(variance), 0.0) + kBatchNormEpsilon);
}

void put(Gradient to, std::size_t i, double value) {
  if (to.data == nullptr) return;
  to.data[i] = static_cast<float>(to.accumulate ? static_cast<double>(to.data[i]) + value : value);
}

// sums (width) over all rows, of each part's: body(row, sums) adds a row.
template <typename Body>
void sum_rows(const Team& team, std::size_t rows, std::size_t width, double* sums, double* partial,
              Body body) {
  const std::size_t parts = team.parts(rows, pass_rows(width));
  team.run(parts, rows, [&](const Team::Part& part) {
    double* own = parts == 1 ? sums : partial + part.index * width;
    std::fill_n(own, width, 0.0);
    for (std::size_t row = part.first; row < part.first + part.count; ++row) body(row, own);
  });
  if (parts == 1) return;
  std::copy_n(partial, width, sums);
  for (std::size_t i = 1; i < parts; ++i) {
    for (std::size_t j = 0; j < width; ++j) sums[j] += partial[i * width + j];
  }
}

}  // namespace

void batch_norm(std::size_t rows, std::size_t width, const float* x, const float* gamma,
                const float* beta, float* y, float* mean, float* variance, double* scratch,
                const Team& team) {
  const profile::Scope scope("batch norm");
  double* sums = scratch;
  double* squares = scratch + width;
  double* partial = scratch + 3 * width;
  const auto count = static_cast<double>(rows);
  sum_rows(team, rows, width, sums, partial, [&](std::size_t row, double* own) {
    const float* from = x + row * width;
    for (std::size_t j = 0; j < width; ++j) own[j] += static_cast<double>(from[j]);
  });
  for (std::size_t j = 0; j < width; ++j) sums[j] /= count;
  sum_rows(team, rows, width, squares, partial, [&](std::size_t row, double* own) {
    const float* from = x + row * width;
    for (std::size_t j = 0; j < width; ++j) {
      const double difference = static_cast<double>(from[j]) - sums[j];
      own[j] += difference * difference;
    }
  });
  for (std::size_t j = 0; j < width; ++j) {
    mean[j] = static_cast<float>(sums[j]);
    variance[j] = static_cast<float>(squares[j] / count);
  }
  batch_norm_frozen(rows, width, x, gamma, beta, mean, variance, y, scratch, team);
}

void batch_norm_frozen(std::size_t rows, std::size_t width, const float* x, const float* gamma,
                       const float* beta, const float* mean, const float* variance, float* y,
                       double* scratch, const Team& team) {
  double* factor = scratch;
  for (std::size_t j = 0; j < width; ++j) {
    factor[j] = inverse_deviation(variance[j]) * static_cast<double>(gamma[j]);
  }
  team.split(rows, pass_rows(width), [&](const Team::Part& part) {
    for (std::size_t row = part.first; row < part.first + part.count; ++row) {
      const float* from = x + row * width;
      float* to = y + row * width;
      for (std::size_t j = 0; j < width; ++j) {
        to[j] = (from[j] - mean[j]) * static_cast<float>(factor[j]) + beta[j];
      }
    }
  });
}

void batch_norm_backward(std::size_t rows, std::size_t width, const float* x, const float* gamma,
                         const float* mean, const float* variance, const float* grad_y,
                         const BatchNormGradients& gradients, double* scratch, const Team& team) {
  const profile::Scope scope("batch norm");
  double* sums = scratch;                 // of g
  double* products = scratch + width;     // of g and x before gamma and beta
  double* inverse = scratch + 2 * width;  // one over the deviation
  double* partial = scratch + 3 * width;
  for (std::size_t j = 0; j < width; ++j) inverse[j] = inverse_deviation(variance[j]);
  const auto normal = [&](std::size_t row, std::size_t j) {
    return (static_cast<double>(x[row * width + j]) - static_cast<double>(mean[j])) * inverse[j];
  };
  // Both sums at once: they lie side by side.
  sum_rows(team, rows, 2 * width, sums, partial, [&](std::size_t row, double* own) {
    for (std::size_t j = 0; j < width; ++j) {
      const auto g = static_cast<double>(grad_y[row * width + j]);
      own[j] += g;
      own[width + j] += g * normal(row, j);
    }
  });
  for (std::size_t j = 0; j < width; ++j) {
    put(gradients.gamma, j, products[j]);
    put(gradients.beta, j, sums[j]);
  }
  if (gradients.x.data == nullptr) return;
  const auto count = static_cast<double>(rows);
  team.split(rows, pass_rows(width), [&](const Team::Part& part) {
    for (std::size_t row = part.first; row < part.first + part.count; ++row) {
      for (std::size_t j = 0; j < width; ++j) {
        const double change = (sums[j] + normal(row, j) * products[j]) / count;
        put(gradients.x, row * width + j,
            inverse[j] * static_cast<double>(gamma[j]) *
                (static_cast<double>(grad_y[row * width + j]) - change));
      }
    }
  });
}

}  // namespace pulsecast::kernels
