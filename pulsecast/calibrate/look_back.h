// What a window shows of how far off its forecast may be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "pulsecast/batch/batch.h"

namespace pulsecast::calibrate {

// Standard deviations of a channel's history, scaled.
struct LookBack {
  float deviation = 0.0f;  // of all of it
  float recent = 0.0f;     // of its last cycle
  float mean = 0.0f;
};

// What is known of one channel's window when its forecast has been made, on scaled data.
struct Outlook {
  LookBack look;
  std::span<const std::int32_t> phases;  // (H) of the steps to come
  // What a quantile head reads beside them; may be empty where the ranges have none.
  std::span<const float> cycle;     // the last recent_steps() of the history
  std::span<const float> forecast;  // (H), without effects of known columns
};

// The steps of a history that are its last cycle: a period where the history holds two, else a
// quarter of it.
std::size_t recent_steps(std::size_t lookback, std::size_t period);

LookBack look_back(std::span<const float> history, std::size_t recent_steps);

// forecast (H) from a history, of steps with these phases.
inline Outlook outlook(std::span<const float> history, std::span<const std::int32_t> phases,
                       std::span<const float> forecast, std::size_t recent_steps) {
  return {look_back(history, recent_steps), phases, history.last(recent_steps), forecast};
}

// Of a channel of a sample.
inline Outlook outlook(const Batch& batch, const Forecast& forecast, std::size_t sample,
                       std::size_t channel, std::size_t recent_steps) {
  const std::size_t T = batch.shape.lookback;
  const std::size_t H = batch.shape.horizon;
  const std::size_t at = sample * batch.shape.channels + channel;
  return outlook(batch.history.subspan(at * T, T), batch.future_phase.subspan(sample * H, H),
                 forecast.values.subspan(at * H, H), recent_steps);
}

}  // namespace pulsecast::calibrate
