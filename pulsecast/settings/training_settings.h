// How a model is trained.
#pragma once

#include <cstdint>
#include <optional>

namespace pulsecast {

enum class LossKind { kFrequency, kSquared, kAbsolute };
enum class Mixup { kStatisticAware, kPlain, kNone };
enum class ScheduleKind { kReference, kPlain, kHalving, kGentle };

// Member initialisers are the defaults; training_declaration.cpp says what each one means.
struct TrainingSettings {
  std::int64_t seed = 2024;
  std::optional<std::int64_t> batch;
  std::optional<std::int64_t> epoch_steps;  // 0: all windows
  std::int64_t epochs = 30;
  std::int64_t patience = 5;
  double learning_rate = 0.005;
  ScheduleKind schedule = ScheduleKind::kReference;
  LossKind loss = LossKind::kFrequency;
  Mixup mixup = Mixup::kStatisticAware;
  double mixup_alpha = 0.15;
  double checkpoint_seconds = 30.0;
};

}  // namespace pulsecast
