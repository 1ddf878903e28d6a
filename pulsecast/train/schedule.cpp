#include "pulsecast/train/schedule.h"

#include <cmath>

namespace pulsecast::train {

kernels::AdamSettings adam_of_epoch(ScheduleKind schedule, double learning_rate,
                                    std::uint32_t epoch) {
  constexpr std::uint32_t kSteadyEpochs = 4;
  constexpr double kDecay = 0.8;
  constexpr double kWarmUp = 1.0 / 25.0;
  const bool is_reference = schedule == ScheduleKind::kReference;
  double rate = learning_rate;
  if (is_reference && epoch == 1) rate *= kWarmUp;
  if (epoch > kSteadyEpochs) rate *= std::pow(kDecay, static_cast<double>(epoch - kSteadyEpochs));
  return {.learning_rate = rate, .beta1 = is_reference ? 0.95 : 0.9};
}

}  // namespace pulsecast::train
