#include "pulsecast/train/schedule.h"

#include <cmath>

namespace pulsecast::train {

kernels::AdamSettings adam_of_epoch(ScheduleKind schedule, double learning_rate,
                                    std::uint32_t epoch) {
  const bool is_halving = schedule == ScheduleKind::kHalving;
  const std::uint32_t steady_epochs = is_halving ? 2 : 4;
  const double decay = is_halving ? 0.5 : 0.8;
  constexpr double kWarmUp = 1.0 / 25.0;
  const bool is_reference = schedule == ScheduleKind::kReference;
  double rate = learning_rate;
  if (is_reference && epoch == 1) rate *= kWarmUp;
  if (epoch > steady_epochs) rate *= std::pow(decay, static_cast<double>(epoch - steady_epochs));
  return {.learning_rate = rate, .beta1 = is_reference ? 0.95 : 0.9};
}

}  // namespace pulsecast::train
