// How a model is trained, with nothing left open: what the trainer works by.
#pragma once

#include <cstdint>

#include "pulsecast/settings/training_settings.h"
#include "pulsecast/settings/usual.h"

namespace pulsecast::train {

struct Regimen {
  std::int64_t seed = 2024;
  Solver solver = Solver::kGradients;
  std::int64_t epochs = usual::kEpochs;
  std::int64_t patience = usual::kPatience;
  double learning_rate = usual::kLearningRate;
  ScheduleKind schedule = usual::kSchedule;
  LossKind loss = usual::kLoss;
  Mixup mixup = usual::kMixup;
  double mixup_alpha = 0.15;
  double checkpoint_seconds = 30.0;
  Sampling sampling = Sampling::kEven;
};

// Of settings that are complete (completion.h).
inline Regimen regimen_of(const TrainingSettings& settings) {
  return {.seed = settings.seed,
          .solver = settings.solver.value(),
          .epochs = settings.epochs.value(),
          .patience = settings.patience.value(),
          .learning_rate = settings.learning_rate.value(),
          .schedule = settings.schedule.value(),
          .loss = settings.loss.value(),
          .mixup = settings.mixup.value(),
          .mixup_alpha = settings.mixup_alpha,
          .checkpoint_seconds = settings.checkpoint_seconds,
          .sampling = settings.sampling.value_or(Sampling::kEven)};
}

}  // namespace pulsecast::train
