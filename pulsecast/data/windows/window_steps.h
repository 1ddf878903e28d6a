// Look-back and horizon in steps, from settings that may give them as times.
#pragma once

#include <cstdint>
#include <optional>

#include "pulsecast/calendar/stretch.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

// What is measured and checked where neither the settings nor the data say a look-back.
inline constexpr std::int64_t kUsualLookback = 96;
inline constexpr std::int64_t kUsualHorizon = 96;

// None where the setting is unset. Throws Error(kUsage).
inline std::optional<std::int64_t> lookback_steps(const DataSettings& settings,
                                                  const std::optional<Step>& step) {
  if (!settings.lookback) return std::nullopt;
  return steps_in(*settings.lookback, step, Place::of_setting("lookback"), 2);
}
// The usual where the setting is unset. Throws Error(kUsage).
inline std::int64_t horizon_steps(const DataSettings& settings, const std::optional<Step>& step) {
  if (!settings.horizon) return kUsualHorizon;
  return steps_in(*settings.horizon, step, Place::of_setting("horizon"), 1);
}

}  // namespace pulsecast
