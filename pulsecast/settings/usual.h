// What the settings that depend on others are where no recipe, backbone or dataset asks for another
// value (train/completion.h).
#pragma once

#include <cstdint>

#include "pulsecast/settings/data_settings.h"
#include "pulsecast/settings/model_settings.h"
#include "pulsecast/settings/training_settings.h"

namespace pulsecast::usual {

inline constexpr Grid kGrid = Grid::kTime;
inline constexpr PhaseSource kPhase = PhaseSource::kTimestamp;

inline constexpr CodebookOrder kCodebookOrder = CodebookOrder::kCalendar;
inline constexpr std::int64_t kTimeWidthMin = 8;

inline constexpr std::int64_t kEpochs = 30;
inline constexpr std::int64_t kPatience = 5;
inline constexpr double kLearningRate = 0.005;
// Where all series share the weights there are many rows a weight; the usual steps overshoot.
inline constexpr double kPanelLearningRate = 0.0005;
inline constexpr LossKind kPanelLoss = LossKind::kAbsolute;
inline constexpr ScheduleKind kSchedule = ScheduleKind::kReference;
inline constexpr LossKind kLoss = LossKind::kFrequency;
inline constexpr double kCalibration = 0.5;
inline constexpr std::int64_t kValidationBlocks = 1;
inline constexpr Mixup kMixup = Mixup::kStatisticAware;

}  // namespace pulsecast::usual
