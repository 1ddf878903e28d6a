// How a model is trained.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pulsecast {

enum class LossKind { kFrequency, kSquared, kAbsolute };
enum class Mixup { kStatisticAware, kPlain, kNone };
enum class Solver { kGradients, kRidge };
enum class Sampling { kEven, kLength };
enum class Intervals { kResidual, kQuantile };
enum class ScheduleKind { kReference, kPlain, kHalving, kGentle };

// Member initialisers are the defaults; training_declaration.cpp says what each one means. What
// is unset depends on other settings (train/completion.h) or is chosen from the data
// (train/plan.h).
struct TrainingSettings {
  std::optional<std::string> recipe;
  std::optional<std::string> budget;
  std::int64_t seed = 2024;
  std::optional<Solver> solver;
  std::optional<std::int64_t> batch;
  std::optional<std::int64_t> epoch_steps;  // 0: all windows
  std::optional<Sampling> sampling;
  std::optional<std::int64_t> epochs;
  std::optional<std::int64_t> patience;
  std::optional<double> learning_rate;
  std::optional<ScheduleKind> schedule;
  std::optional<LossKind> loss;
  std::optional<Mixup> mixup;
  double mixup_alpha = 0.15;
  std::optional<double> calibration;
  std::optional<std::int64_t> validation_blocks;
  std::optional<Intervals> intervals;  // unset: the better on validation
  double checkpoint_seconds = 30.0;
};

}  // namespace pulsecast
