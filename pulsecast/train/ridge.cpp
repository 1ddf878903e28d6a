#include "pulsecast/train/ridge.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "pulsecast/base/team.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/windows/batcher.h"
#include "pulsecast/data/windows/window_order.h"
#include "pulsecast/kernels/products/shared_product.h"
#include "pulsecast/kernels/solve/cholesky.h"
#include "pulsecast/train/validation.h"

namespace pulsecast::train {
namespace {

using Seconds = std::chrono::duration<double>;

// Rows that are multiplied in float before their sums go on in double.
constexpr std::size_t kRowsAtOnce = 4096;

struct Sizes {
  std::size_t T;
  std::size_t H;
};

// Sums over rows of what a ridge is made of: x (T) and y (H) of a window and channel, both without
// the mean of the history.
class Moments {
 public:
  explicit Moments(Sizes sizes)
      : sizes_(sizes),
        xx_(sizes.T * sizes.T, 0.0),
        xy_(sizes.T * sizes.H, 0.0),
        x_(sizes.T, 0.0),
        y_(sizes.H, 0.0) {}

  // x (rows, T), y (rows, H), of which those that are not `present` are zero.
  void add(std::size_t rows, std::size_t present, const float* x, const float* y,
           ThreadPool& pool) {
    const auto [T, H] = sizes_;
    multiply_into(xx_, rows, T, x, x, pool);
    multiply_into(xy_, rows, H, x, y, pool);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t t = 0; t < T; ++t) x_[t] += static_cast<double>(x[row * T + t]);
      for (std::size_t h = 0; h < H; ++h) {
        const auto value = static_cast<double>(y[row * H + h]);
        y_[h] += value;
        yy_ += value * value;
      }
    }
    rows_ += static_cast<double>(present);
  }

  // About their means: the constant b then needs no column of its own.
  void centre() {
    const auto [T, H] = sizes_;
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t u = 0; u < T; ++u) xx_[t * T + u] -= x_[t] * x_[u] / rows_;
      for (std::size_t h = 0; h < H; ++h) xy_[t * H + h] -= x_[t] * y_[h] / rows_;
    }
    for (std::size_t h = 0; h < H; ++h) yy_ -= y_[h] * y_[h] / rows_;
  }

  struct Solution {
    std::vector<double> weights;   // (T, H)
    std::vector<double> constant;  // (H)
    double mean_squared_error;     // over the rows
  };
  // Of moments that are centred.
  Solution solve(double strength) const {
    const auto [T, H] = sizes_;
    double added =
        std::max(strength * trace() / static_cast<double>(T), std::numeric_limits<double>::min());
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
    Solution found{xy_, y_, 0.0};
    kernels::cholesky_solve(T, H, factor.data(), found.weights.data());
    double explained = 0.0;
    for (std::size_t i = 0; i < xy_.size(); ++i) {
      explained += found.weights[i] * (xy_[i] + added * found.weights[i]);
    }
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t h = 0; h < H; ++h) found.constant[h] -= found.weights[t * H + h] * x_[t];
    }
    for (double& value : found.constant) value /= rows_;
    found.mean_squared_error = std::max(0.0, yy_ - explained) / (rows_ * static_cast<double>(H));
    return found;
  }

  std::size_t bytes() const {
    return (2 * xx_.size() + 2 * xy_.size()) * sizeof(double) + product_.size() * sizeof(float);
  }

 private:
  // The Cholesky factor of xx with `added` on its diagonal; empty where there is none.
  std::vector<double> factor_of(double added) const {
    std::vector<double> factor = xx_;
    for (std::size_t t = 0; t < sizes_.T; ++t) factor[t * sizes_.T + t] += added;
    if (!kernels::cholesky(sizes_.T, factor.data())) factor.clear();
    return factor;
  }

  double trace() const {
    double sum = 0.0;
    for (std::size_t t = 0; t < sizes_.T; ++t) sum += xx_[t * sizes_.T + t];
    return sum;
  }

  // sums (T, width) += x' b, x (rows, T), b (rows, width).
  void multiply_into(std::vector<double>& sums, std::size_t rows, std::size_t width, const float* x,
                     const float* b, ThreadPool& pool) {
    const Team team(pool);
    const std::size_t T = sizes_.T;
    const std::size_t scratch = kernels::shared_product_scratch_floats(team, T, width, rows);
    product_.resize(std::max(product_.size(), T * width + scratch));
    kernels::shared_product(team, T, width, rows, kernels::Matrix{x, T, true},
                            kernels::Matrix{b, width}, {product_.data(), false},
                            product_.data() + T * width);
    for (std::size_t i = 0; i < T * width; ++i) sums[i] += static_cast<double>(product_[i]);
  }

  Sizes sizes_;
  std::vector<double> xx_;  // (T, T)
  std::vector<double> xy_;  // (T, H)
  std::vector<double> x_;   // (T)
  std::vector<double> y_;   // (H)
  double yy_ = 0.0;
  double rows_ = 0.0;
  std::vector<float> product_;
};

// row (width) without `mean`.
void subtract(float mean, std::size_t width, const float* row, float* out) {
  std::transform(row, row + width, out, [mean](float value) { return value - mean; });
}

// All windows in sequence, or the first of an epoch's.
WindowOrder order_of(const TrainingTask& task, std::size_t samples, std::size_t batches) {
  const std::size_t windows = task.training.size();
  const auto seed = static_cast<std::uint64_t>(task.settings.seed);
  if (const SeriesWindows* panel = task.training.panel()) {
    return WindowOrder::drawn(panel->first_of_targets(), task.settings.sampling == Sampling::kEven,
                              samples, batches, seed);
  }
  return batches * samples >= windows ? WindowOrder::sequential(windows, samples)
                                      : WindowOrder::shuffled(windows, samples, seed);
}

// Over every window, or as many as an epoch has.
Moments moments_of(const TrainingTask& task, ThreadPool& pool) {
  const BatchShape one = task.training.shape(1);
  const Sizes sizes{one.lookback, one.horizon};
  const auto [T, H] = sizes;
  const std::size_t samples =
      std::min(task.training.size(), std::max<std::size_t>(1, kRowsAtOnce / one.channels));
  const std::size_t most = task.epoch_steps == 0
                               ? task.training.size()
                               : std::min(task.training.size(), task.epoch_steps * task.batch);
  const std::size_t batches = (most + samples - 1) / samples;
  const WindowOrder order = order_of(task, samples, batches);
  Batcher batcher(task.training, samples, pool);
  Moments moments(sizes);
  std::vector<float> x(samples * one.channels * T);
  std::vector<float> y(samples * one.channels * H);
  for (std::size_t i = 0; i < batches; ++i) {
    const Batch& batch = batcher.gather(order.batch(i));
    const std::size_t rows = batch.shape.samples * one.channels;
    pool.run(batch.shape.samples, [&, T = T, H = H](std::size_t sample, std::size_t) {
      for (std::size_t row = sample * one.channels; row < (sample + 1) * one.channels; ++row) {
        const float* history = batch.history.data() + row * T;
        double sum = 0.0;
        for (std::size_t t = 0; t < T; ++t) sum += static_cast<double>(history[t]);
        const auto mean = static_cast<float>(sum / static_cast<double>(T));
        subtract(mean, T, history, x.data() + row * T);
        subtract(mean, H, batch.target.data() + row * H, y.data() + row * H);
      }
    });
    const auto missing = static_cast<std::size_t>(std::ranges::count(batch.present, 0));
    moments.add(rows, rows - missing, x.data(), y.data(), pool);
    task.watch.advance("training", i + 1, batches);
  }
  moments.centre();
  return moments;
}

// The weights of the backbone, as LinearLayer lays them out: (H, T), then (H).
void put(const Moments::Solution& found, Sizes sizes, std::span<float> weights) {
  const auto [T, H] = sizes;
  for (std::size_t h = 0; h < H; ++h) {
    for (std::size_t t = 0; t < T; ++t) {
      weights[h * T + t] = static_cast<float>(found.weights[t * H + h]);
    }
    weights[H * T + h] = static_cast<float>(found.constant[h]);
  }
}

}  // namespace

bool has_closed_form(const model::ModelShape& shape) {
  return shape.alone && shape.backbone == BackboneKind::kLinear;
}

double ridge_strength(std::uint32_t epoch) {
  return std::pow(10.0, 1.0 - 0.5 * static_cast<double>(epoch - 1));
}

TrainingResult solve_ridge(const TrainingTask& task, ThreadPool& pool) {
  auto last = std::chrono::steady_clock::now();
  const BatchShape shape = task.training.shape(1);
  const Sizes sizes{shape.lookback, shape.horizon};
  const Moments moments = moments_of(task, pool);
  const std::span<float> weights = task.pulse.parameters().weights();
  std::optional<Validation> validation;
  if (task.validation != nullptr) {
    validation.emplace(task.pulse, *task.validation, task.batch, pool);
  }
  TrainingResult result;
  result.best_validation = std::numeric_limits<double>::infinity();
  std::vector<float> best;
  const auto epochs = static_cast<std::uint32_t>(task.settings.epochs);
  for (std::uint32_t epoch = validation ? 1 : epochs; epoch <= epochs; ++epoch) {
    task.watch.check("training");
    const Moments::Solution found = moments.solve(ridge_strength(epoch));
    put(found, sizes, weights);
    const double error =
        validation ? validation->measure(task.watch).mse : std::numeric_limits<double>::quiet_NaN();
    const bool is_best = !validation || error < result.best_validation;
    if (is_best) {
      result.best_validation = error;
      result.best_epoch = epoch;
      best.assign(weights.begin(), weights.end());
    }
    const auto now = std::chrono::steady_clock::now();
    result.history.push_back({epoch, ridge_strength(epoch), found.mean_squared_error, error,
                              Seconds(now - last).count()});
    last = now;
    if (task.on_epoch) task.on_epoch(result.history, is_best);
    if (epoch - result.best_epoch >= static_cast<std::uint32_t>(task.settings.patience)) break;
  }
  if (best.empty()) {
    throw_error(ErrorKind::kTraining, "ridge", "no strength has a validation error that is finite");
  }
  std::ranges::copy(best, weights.begin());
  result.memory = moments.bytes() + (validation ? validation->memory() : 0);
  result.lanes = 1;
  return result;
}

}  // namespace pulsecast::train
