// What a window shows of how far off its forecast may be.
#pragma once

#include <cstddef>
#include <span>

#include "pulsecast/batch/batch.h"

namespace pulsecast::calibrate {

// Standard deviations of a channel's history, scaled.
struct LookBack {
  float deviation = 0.0f;  // of all of it
  float recent = 0.0f;     // of its last cycle
};

// The steps of a history that are its last cycle: a period where the history holds two, else a
// quarter of it.
std::size_t recent_steps(std::size_t lookback, std::size_t period);

LookBack look_back(std::span<const float> history, std::size_t recent_steps);

// Of a channel of a sample.
inline LookBack look_back(const Batch& batch, std::size_t sample, std::size_t channel,
                          std::size_t recent_steps) {
  const std::size_t T = batch.shape.lookback;
  return look_back(batch.history.subspan((sample * batch.shape.channels + channel) * T, T),
                   recent_steps);
}

}  // namespace pulsecast::calibrate
