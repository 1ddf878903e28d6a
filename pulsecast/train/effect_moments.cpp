#include "pulsecast/train/effect_moments.h"

#include <algorithm>
#include <cassert>

#include "pulsecast/kernels/solve/cholesky.h"

namespace pulsecast::train {
namespace {

void add_to_diagonal(std::size_t n, double value, double* matrix) {
  for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] += value;
}

// y (n) -= A x, A (n, n) symmetric with its lower triangle kept.
void subtract_product(std::size_t n, const double* a, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      y[i] -= a[i * n + j] * x[j];
      if (j < i) y[j] -= a[i * n + j] * x[i];
    }
  }
}

}  // namespace

EffectMoments::EffectMoments(std::size_t groups, std::size_t terms)
    : groups_(groups), terms_(terms), xx_(groups * terms * terms, 0.0), xy_(groups * terms, 0.0) {}

void EffectMoments::add(std::size_t group, std::span<const double> x, double y) {
  assert(x.size() == terms_);
  double* xx = xx_.data() + group * terms_ * terms_;
  double* xy = xy_.data() + group * terms_;
  for (std::size_t i = 0; i < terms_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) xx[i * terms_ + j] += x[i] * x[j];
    xy[i] += x[i] * y;
  }
  yy_ += y * y;
  rows_ += 1.0;
}

void EffectMoments::add(const EffectMoments& other) {
  assert(other.xx_.size() == xx_.size());
  for (std::size_t i = 0; i < xx_.size(); ++i) xx_[i] += other.xx_[i];
  for (std::size_t i = 0; i < xy_.size(); ++i) xy_[i] += other.xy_[i];
  yy_ += other.yy_;
  rows_ += other.rows_;
}

double EffectMoments::mean_square() const { return rows_ == 0.0 ? 0.0 : yy_ / rows_; }

double EffectMoments::squares_of(std::size_t group, std::span<const double> weights) const {
  const double* w = weights.data() + group * terms_;
  const double* xx = xx_.data() + group * terms_ * terms_;
  double sum = 0.0;
  for (std::size_t i = 0; i < terms_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      sum += (j < i ? 2.0 : 1.0) * w[i] * w[j] * xx[i * terms_ + j];
    }
  }
  return sum;
}

double EffectMoments::error(std::span<const double> weights) const {
  if (rows_ == 0.0) return 0.0;
  double error = yy_;
  for (std::size_t g = 0; g < groups_; ++g) {
    error += squares_of(g, weights);
    for (std::size_t i = 0; i < terms_; ++i) {
      error -= 2.0 * weights[g * terms_ + i] * xy_[g * terms_ + i];
    }
  }
  return std::max(0.0, error) / rows_;
}

double EffectMoments::explained(std::span<const double> weights) const {
  double sum = 0.0;
  for (std::size_t g = 0; g < groups_; ++g) sum += squares_of(g, weights);
  return rows_ == 0.0 ? 0.0 : sum / rows_;
}

std::optional<std::vector<double>> EffectMoments::solve_alike(double main) const {
  const std::size_t M = terms_;
  std::vector<double> sum(M * M, 0.0);
  std::vector<double> shared(M, 0.0);
  for (std::size_t g = 0; g < groups_; ++g) {
    for (std::size_t i = 0; i < M * M; ++i) sum[i] += xx_[g * M * M + i];
    for (std::size_t i = 0; i < M; ++i) shared[i] += xy_[g * M + i];
  }
  add_to_diagonal(M, main * rows_, sum.data());
  if (!kernels::cholesky(M, sum.data())) return std::nullopt;
  kernels::cholesky_solve(M, 1, sum.data(), shared.data());
  std::vector<double> weights;
  for (std::size_t g = 0; g < groups_; ++g) {
    weights.insert(weights.end(), shared.begin(), shared.end());
  }
  return weights;
}

std::optional<std::vector<double>> EffectMoments::solve(const EffectStrength& strength) const {
  if (rows_ == 0.0) return std::nullopt;
  if (!strength.group || groups_ == 1) return solve_alike(strength.main);
  const std::size_t M = terms_;
  const double own = *strength.group * rows_ / static_cast<double>(groups_);
  // With F = (A + own I)^-1 of a group: (main + own sum F A) w = own sum F b.
  std::vector<double> factors = xx_;
  std::vector<double> left(M * M, 0.0);
  std::vector<double> shared(M, 0.0);
  add_to_diagonal(M, strength.main * rows_, left.data());
  std::vector<double> solved(M * (M + 1));  // F A, and F b beside it
  for (std::size_t g = 0; g < groups_; ++g) {
    const double* xx = xx_.data() + g * M * M;
    double* factor = factors.data() + g * M * M;
    add_to_diagonal(M, own, factor);
    if (!kernels::cholesky(M, factor)) return std::nullopt;
    for (std::size_t i = 0; i < M; ++i) {
      for (std::size_t j = 0; j < M; ++j) {
        solved[i * (M + 1) + j] = j <= i ? xx[i * M + j] : xx[j * M + i];
      }
      solved[i * (M + 1) + M] = xy_[g * M + i];
    }
    kernels::cholesky_solve(M, M + 1, factor, solved.data());
    for (std::size_t i = 0; i < M; ++i) {
      for (std::size_t j = 0; j < M; ++j) left[i * M + j] += own * solved[i * (M + 1) + j];
      shared[i] += own * solved[i * (M + 1) + M];
    }
  }
  if (!kernels::cholesky(M, left.data())) return std::nullopt;
  kernels::cholesky_solve(M, 1, left.data(), shared.data());
  std::vector<double> weights = xy_;
  for (std::size_t g = 0; g < groups_; ++g) {
    double* of_group = weights.data() + g * M;
    subtract_product(M, xx_.data() + g * M * M, shared.data(), of_group);
    kernels::cholesky_solve(M, 1, factors.data() + g * M * M, of_group);
    for (std::size_t i = 0; i < M; ++i) of_group[i] += shared[i];
  }
  return weights;
}

}  // namespace pulsecast::train
