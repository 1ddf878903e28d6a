#include "pulsecast/train/ridge.h"

#include <chrono>
#include <cmath>
#include <limits>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/train/channel_ridge.h"
#include "pulsecast/train/shared_moments.h"
#include "pulsecast/train/validation.h"

namespace pulsecast::train {
namespace {

using Seconds = std::chrono::duration<double>;

// The weights of the backbone, as LinearLayer lays them out: (H, T), then (H).
void put(const LinearMap& map, std::span<float> weights) {
  const std::size_t H = map.constant.size();
  const std::size_t T = map.weights.size() / H;
  for (std::size_t h = 0; h < H; ++h) {
    for (std::size_t t = 0; t < T; ++t) {
      weights[h * T + t] = static_cast<float>(map.weights[t * H + h]);
    }
    weights[H * T + h] = static_cast<float>(map.constant[h]);
  }
}

// The validation error of maps: from moments, or where windows are a panel's by forecasting them.
class Held {
 public:
  Held(const TrainingTask& task, std::size_t lookback,
       std::span<const std::vector<double>> no_cycles, ThreadPool& pool)
      : task_(task) {
    if (task.validation == nullptr) return;
    if (task.validation->panel() != nullptr) {
      forecasts_.emplace(task.pulse, *task.validation, task.batch, pool);
    } else {
      moments_.emplace(
          shared_moments(*task.validation, lookback, no_cycles, pool, quiet(task.watch)));
    }
  }

  bool is_there() const { return forecasts_ || moments_; }
  // `map` is in the model.
  double error_of(const LinearMap& map) {
    if (moments_) return moments_->mean_squared_error(map);
    if (forecasts_) return forecasts_->measure(task_.watch).mse;
    return std::numeric_limits<double>::quiet_NaN();
  }
  std::size_t memory() const {
    return moments_ ? moments_->bytes() : forecasts_ ? forecasts_->memory() : 0;
  }

 private:
  // It is no stage of its own: it can be stopped, and tells nothing.
  static Watch quiet(const Watch& watch) { return {.is_cancelled = watch.is_cancelled}; }

  const TrainingTask& task_;
  std::optional<Validation> forecasts_;
  std::optional<WindowMoments> moments_;
};

TrainingResult solve_shared(const TrainingTask& task, ThreadPool& pool) {
  auto last = std::chrono::steady_clock::now();
  const std::size_t T = task.pulse.shape().lookback;
  const std::vector<std::vector<double>> no_cycles(task.training.shape(1).channels);
  const WindowMoments moments = task.training.panel() != nullptr
                                    ? drawn_moments(task, pool)
                                    : shared_moments(task.training, T, no_cycles, pool, task.watch);
  // Before whoever forecasts with them: that packs them, and asking for them to write drops that.
  const std::span<float> weights = task.pulse.parameters().weights();
  Held held(task, T, no_cycles, pool);
  TrainingResult result;
  result.best_validation = std::numeric_limits<double>::infinity();
  std::vector<float> best;
  const std::uint32_t most = task.strengths.empty()
                                 ? static_cast<std::uint32_t>(task.settings.epochs)
                                 : task.strengths.front();
  for (std::uint32_t epoch = held.is_there() ? 1 : most; epoch <= most; ++epoch) {
    task.watch.check("training");
    const LinearMap found = moments.solve(ridge_strength(epoch));
    put(found, weights);
    const double error = held.error_of(found);
    const bool is_best = !held.is_there() || error < result.best_validation;
    if (is_best) {
      result.best_validation = error;
      result.best_epoch = epoch;
      best.assign(weights.begin(), weights.end());
    }
    const auto now = std::chrono::steady_clock::now();
    result.history.push_back({epoch, ridge_strength(epoch), moments.mean_squared_error(found),
                              error, Seconds(now - last).count()});
    last = now;
    if (task.on_epoch) task.on_epoch(result.history, is_best);
    if (epoch - result.best_epoch >= static_cast<std::uint32_t>(task.settings.patience)) break;
  }
  if (best.empty()) {
    throw_error(ErrorKind::kTraining, "ridge", "no strength has a validation error that is finite");
  }
  std::ranges::copy(best, weights.begin());
  result.strengths = {result.best_epoch};
  result.memory = moments.bytes() + held.memory();
  result.lanes = 1;
  return result;
}

}  // namespace

bool has_closed_form(const model::ModelShape& shape) {
  return shape.alone && (shape.backbone == BackboneKind::kLinear ||
                         shape.backbone == BackboneKind::kChannelLinear);
}

double ridge_strength(std::uint32_t epoch) {
  return std::pow(10.0, 1.0 - 0.5 * static_cast<double>(epoch - 1));
}

TrainingResult solve_ridge(const TrainingTask& task, ThreadPool& pool) {
  return task.pulse.shape().backbone == BackboneKind::kChannelLinear
             ? solve_channel_ridge(task, pool)
             : solve_shared(task, pool);
}

}  // namespace pulsecast::train
