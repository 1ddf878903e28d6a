// Sums over windows of which ridges are made: of x (T), the history, and y (H), the future, both
// without the mean of the history.
//
// Windows a row apart share all their products but one, so the sums of a run of them cost a pass
// over the values and one over the sums, where those of windows anywhere cost a product of
// matrices.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pulsecast/base/thread_pool.h"

namespace pulsecast::train {

// y = x W + b.
struct LinearMap {
  std::vector<double> weights;   // (T, H)
  std::vector<double> constant;  // (H)
};

class WindowMoments {
 public:
  WindowMoments(std::size_t lookback, std::size_t horizon);

  // Every window of a run: `values` (windows + T + H - 1).
  void add_run(std::size_t windows, std::span<const float> values);
  // Windows that lie anywhere: x (rows, T), y (rows, H), of which those that are not `present` are
  // zero.
  void add_rows(std::size_t rows, std::size_t present, const float* x, const float* y,
                ThreadPool& pool);
  void add(const WindowMoments& other);
  // About their means: the constant then needs no column of its own. Nothing is added after it.
  void centre();

  double rows() const { return rows_; }

  // The rest is of moments that are centred.

  // The map with the least squared error plus `strength` times the mean variance of x and the
  // squared distance of its weights from those of `towards`, or from nothing.
  LinearMap solve(double strength, const LinearMap* towards = nullptr) const;
  // Over the windows and steps.
  double mean_squared_error(const LinearMap& map) const;

  std::size_t bytes() const;

 private:
  // The Cholesky factor of xx with `added` on its diagonal; empty where there is none.
  std::vector<double> factor_of(double added) const;
  double trace() const;
  // sums (T, width) += x' b, x (rows, T), b (rows, width).
  void multiply_into(std::vector<double>& sums, std::size_t rows, std::size_t width, const float* x,
                     const float* b, ThreadPool& pool);

  std::size_t T_;
  std::size_t H_;
  std::vector<double> xx_;  // (T, T)
  std::vector<double> xy_;  // (T, H)
  std::vector<double> x_;   // (T)
  std::vector<double> y_;   // (H)
  double yy_ = 0.0;
  double rows_ = 0.0;
  std::vector<float> product_;  // scratch
};

}  // namespace pulsecast::train
