#include "pulsecast/train/window_moments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "pulsecast/base/team.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/kernels/products/shared_product.h"
#include "pulsecast/kernels/solve/cholesky.h"
#include "pulsecast/kernels/solve/lag_products.h"

namespace pulsecast::train {

WindowMoments::WindowMoments(std::size_t lookback, std::size_t horizon)
    : T_(lookback),
      H_(horizon),
      xx_(lookback * lookback, 0.0),
      xy_(lookback * horizon, 0.0),
      x_(lookback, 0.0),
      y_(horizon, 0.0) {}

// With v the values of a window: first the sums of v v', of which each diagonal follows from its
// first element; then the mean m of the history is taken off, (v_i - m)(v_j - m), by sums of m v
// and m m, which are sums of those.
void WindowMoments::add_run(std::size_t windows, std::span<const float> values) {
  const std::size_t L = T_ + H_;
  std::vector<double> rows(T_ * L);  // of v_i v_j, i < T
  kernels::lag_products(windows, L, values.data(), rows.data());
  const auto value = [&](std::size_t i) { return static_cast<double>(values[i]); };
  for (std::size_t i = 1; i < T_; ++i) {
    double* row = rows.data() + i * L;
    const double* above = row - L;
    const double leaves = value(i - 1);
    const double comes = value(windows + i - 1);
    for (std::size_t j = 1; j < i; ++j) row[j] = rows[j * L + i];
    row[0] = rows[i];
    for (std::size_t j = i; j < L; ++j) {
      row[j] = above[j - 1] - leaves * value(j - 1) + comes * value(windows + j - 1);
    }
  }
  std::vector<double> sums(L, 0.0);      // of v
  std::vector<double> squares(H_, 0.0);  // of v v, the future's
  for (std::size_t s = 0; s < windows; ++s) sums[0] += value(s);
  for (std::size_t i = 1; i < L; ++i) sums[i] = sums[i - 1] - value(i - 1) + value(windows + i - 1);
  for (std::size_t s = 0; s < windows; ++s) squares[0] += value(T_ + s) * value(T_ + s);
  for (std::size_t h = 1; h < H_; ++h) {
    const double leaves = value(T_ + h - 1);
    const double comes = value(T_ + windows + h - 1);
    squares[h] = squares[h - 1] - leaves * leaves + comes * comes;
  }

  const auto n = static_cast<double>(T_);
  std::vector<double> with_mean(L, 0.0);  // of m v
  for (std::size_t i = 0; i < T_; ++i) {
    for (std::size_t j = 0; j < L; ++j) with_mean[j] += rows[i * L + j] / n;
  }
  const double mean_square =
      std::accumulate(with_mean.begin(), with_mean.begin() + static_cast<std::ptrdiff_t>(T_), 0.0) /
      n;
  const double mean =
      std::accumulate(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(T_), 0.0) / n;
  for (std::size_t i = 0; i < T_; ++i) {
    const double own = mean_square - with_mean[i];
    for (std::size_t j = 0; j < T_; ++j) xx_[i * T_ + j] += rows[i * L + j] + own - with_mean[j];
    for (std::size_t h = 0; h < H_; ++h) {
      xy_[i * H_ + h] += rows[i * L + T_ + h] + own - with_mean[T_ + h];
    }
    x_[i] += sums[i] - mean;
  }
  for (std::size_t h = 0; h < H_; ++h) {
    y_[h] += sums[T_ + h] - mean;
    yy_ += squares[h] - 2.0 * with_mean[T_ + h] + mean_square;
  }
  rows_ += static_cast<double>(windows);
}

void WindowMoments::add_rows(std::size_t rows, std::size_t present, const float* x, const float* y,
                             ThreadPool& pool) {
  multiply_into(xx_, rows, T_, x, x, pool);
  multiply_into(xy_, rows, H_, x, y, pool);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t t = 0; t < T_; ++t) x_[t] += static_cast<double>(x[row * T_ + t]);
    for (std::size_t h = 0; h < H_; ++h) {
      const auto value = static_cast<double>(y[row * H_ + h]);
      y_[h] += value;
      yy_ += value * value;
    }
  }
  rows_ += static_cast<double>(present);
}

void WindowMoments::add(const WindowMoments& other) {
  const auto add_to = [](std::vector<double>& to, const std::vector<double>& from) {
    std::ranges::transform(to, from, to.begin(), std::plus{});
  };
  add_to(xx_, other.xx_);
  add_to(xy_, other.xy_);
  add_to(x_, other.x_);
  add_to(y_, other.y_);
  yy_ += other.yy_;
  rows_ += other.rows_;
}

void WindowMoments::centre() {
  for (std::size_t t = 0; t < T_; ++t) {
    for (std::size_t u = 0; u < T_; ++u) xx_[t * T_ + u] -= x_[t] * x_[u] / rows_;
    for (std::size_t h = 0; h < H_; ++h) xy_[t * H_ + h] -= x_[t] * y_[h] / rows_;
  }
  for (std::size_t h = 0; h < H_; ++h) yy_ -= y_[h] * y_[h] / rows_;
}

LinearMap WindowMoments::solve(double strength, const LinearMap* towards) const {
  double added =
      std::max(strength * trace() / static_cast<double>(T_), std::numeric_limits<double>::min());
  std::vector<double> factor = factor_of(added);
  // Histories that are alike but for rounding, as those of a straight line are: any weights will
  // do for them, so the strength is what makes them solvable.
  while (factor.empty()) {
    added *= 10.0;
    if (!std::isfinite(added)) {
      throw_error(ErrorKind::kTraining, "ridge", "the windows hold values that are not finite");
    }
    factor = factor_of(added);
  }
  LinearMap found{xy_, y_};
  if (towards != nullptr) {
    for (std::size_t i = 0; i < xy_.size(); ++i) found.weights[i] += added * towards->weights[i];
  }
  kernels::cholesky_solve(T_, H_, factor.data(), found.weights.data());
  for (std::size_t t = 0; t < T_; ++t) {
    for (std::size_t h = 0; h < H_; ++h) found.constant[h] -= found.weights[t * H_ + h] * x_[t];
  }
  for (double& value : found.constant) value /= rows_;
  return found;
}

// |y - x W|^2 about the means, and what the constant misses by.
double WindowMoments::mean_squared_error(const LinearMap& map) const {
  std::vector<double> product(T_ * H_);  // xx W
  kernels::symmetric_product(T_, H_, xx_.data(), map.weights.data(), product.data());
  double sum = yy_;
  for (std::size_t i = 0; i < product.size(); ++i) {
    sum += map.weights[i] * (product[i] - 2.0 * xy_[i]);
  }
  sum = std::max(0.0, sum);
  for (std::size_t h = 0; h < H_; ++h) {
    double missed = y_[h] / rows_ - map.constant[h];
    for (std::size_t t = 0; t < T_; ++t) missed -= map.weights[t * H_ + h] * x_[t] / rows_;
    sum += rows_ * missed * missed;
  }
  return sum / (rows_ * static_cast<double>(H_));
}

std::size_t WindowMoments::bytes() const {
  return (2 * xx_.size() + 2 * xy_.size()) * sizeof(double) + product_.size() * sizeof(float);
}

std::vector<double> WindowMoments::factor_of(double added) const {
  std::vector<double> factor = xx_;
  for (std::size_t t = 0; t < T_; ++t) factor[t * T_ + t] += added;
  if (!kernels::cholesky(T_, factor.data())) factor.clear();
  return factor;
}

double WindowMoments::trace() const {
  double sum = 0.0;
  for (std::size_t t = 0; t < T_; ++t) sum += xx_[t * T_ + t];
  return sum;
}

void WindowMoments::multiply_into(std::vector<double>& sums, std::size_t rows, std::size_t width,
                                  const float* x, const float* b, ThreadPool& pool) {
  const Team team(pool);
  const std::size_t scratch = kernels::shared_product_scratch_floats(team, T_, width, rows);
  product_.resize(std::max(product_.size(), T_ * width + scratch));
  kernels::shared_product(team, T_, width, rows, kernels::Matrix{x, T_, true},
                          kernels::Matrix{b, width}, {product_.data(), false},
                          product_.data() + T_ * width);
  for (std::size_t i = 0; i < T_ * width; ++i) sums[i] += static_cast<double>(product_[i]);
}

}  // namespace pulsecast::train
