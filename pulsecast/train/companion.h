// Finds the companion of a trained model (model/companion.h): a ridge of the same windows, and the
// share in the forecast that validates best.
#pragma once

#include "pulsecast/train/trainer.h"

namespace pulsecast::train {

struct CompanionFit {
  std::uint32_t strength = 0;  // number of the ridge's strength; see ridge.h
  double share = 0.0;          // in [0, 1]
  double own = 0.0;            // validation MSE of the model without it
  double alone = 0.0;          // of the ridge
  double together = 0.0;       // of the forecast that it shares in
};

// `task.pulse` is trained, and validated at `own`; it ends with a companion. The error is a
// parabola in the share, so three errors say where it is least.
CompanionFit fit_companion(const TrainingTask& task, double own, ThreadPool& pool);

// The same strength and share, learnt from `task.training` without validation.
void refit_companion(const TrainingTask& task, const CompanionFit& found, ThreadPool& pool);

}  // namespace pulsecast::train
