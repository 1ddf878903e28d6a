#include "pulsecast/train/schedule.h"

#include <cmath>

namespace pulsecast::train {

namespace {

struct Decay {
  std::uint32_t steady_epochs;  // before it begins
  double share;                 // of the rate that each epoch keeps
};

Decay decay_of(ScheduleKind schedule) {
  switch (schedule) {
    case ScheduleKind::kHalving:
      return {2, 0.5};
    case ScheduleKind::kGentle:
      return {3, 0.9};
    case ScheduleKind::kReference:
    case ScheduleKind::kPlain:
      break;
  }
  return {4, 0.8};
}

}  // namespace

kernels::AdamSettings adam_of_epoch(ScheduleKind schedule, double learning_rate,
                                    std::uint32_t epoch) {
  const Decay decay = decay_of(schedule);
  constexpr double kWarmUp = 1.0 / 25.0;
  const bool is_reference = schedule == ScheduleKind::kReference;
  double rate = learning_rate;
  if (is_reference && epoch == 1) rate *= kWarmUp;
  if (epoch > decay.steady_epochs) {
    rate *= std::pow(decay.share, static_cast<double>(epoch - decay.steady_epochs));
  }
  return {.learning_rate = rate, .beta1 = is_reference ? 0.95 : 0.9};
}

}  // namespace pulsecast::train
