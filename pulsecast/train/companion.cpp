#include "pulsecast/train/companion.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/settings/published.h"
#include "pulsecast/train/ridge.h"
#include "pulsecast/train/validation.h"

namespace pulsecast::train {
namespace {

// The linear backbone alone, on the windows of `task`.
model::ModelShape linear_shape(const model::ModelShape& own) {
  return {.lookback = own.lookback,
          .horizon = own.horizon,
          .channels = own.channels,
          .features = own.features,
          .backbone = BackboneKind::kLinear,
          .alone = true,
          .anchor = false,
          .router = false};
}

// It takes a moment, and is no stage of its own: it can be stopped, and tells nothing.
Watch quietly(const Watch& watch) { return {.is_cancelled = watch.is_cancelled}; }

TrainingResult solve_beside(const TrainingTask& task, std::int64_t strengths, ThreadPool& pool) {
  model::Pulse linear(linear_shape(task.pulse.shape()));
  TrainingTask beside{.pulse = linear,
                      .training = task.training,
                      .validation = task.validation,
                      .settings = task.settings,
                      .batch = task.batch,
                      .epoch_steps = task.epoch_steps,
                      .watch = quietly(task.watch)};
  beside.settings.epochs = strengths;
  beside.settings.patience = published_for(BackboneKind::kLinear).patience;
  const TrainingResult result = solve_ridge(beside, pool);
  task.pulse.companion()->put(task.pulse.parameters(), linear.parameters().weights());
  return result;
}

// Where the parabola through errors at 0, 1/2 and 1 is least in [0, 1].
double best_share(double none, double half, double all) {
  const double curvature = 2.0 * (none - 2.0 * half + all);
  const double slope = 4.0 * half - 3.0 * none - all;
  if (!(curvature > 0.0)) return all < none ? 1.0 : 0.0;
  return std::clamp(-slope / (2.0 * curvature), 0.0, 1.0);
}

}  // namespace

CompanionFit fit_companion(const TrainingTask& task, double own, ThreadPool& pool) {
  const TrainingResult ridge =
      solve_beside(task, published_for(BackboneKind::kLinear).epochs, pool);
  Validation validation(task.pulse, *task.validation, task.batch, pool);
  const auto error_with = [&](double share) {
    task.pulse.companion()->set_share(task.pulse.parameters(), static_cast<float>(share));
    return validation.measure(quietly(task.watch)).mse;
  };
  const double share = best_share(own, error_with(0.5), ridge.best_validation);
  return {ridge.best_epoch, share, own, ridge.best_validation, error_with(share)};
}

void refit_companion(const TrainingTask& task, const CompanionFit& found, ThreadPool& pool) {
  solve_beside(task, found.strength, pool);
  task.pulse.companion()->set_share(task.pulse.parameters(), static_cast<float>(found.share));
}

}  // namespace pulsecast::train
