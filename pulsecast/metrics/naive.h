// Forecasts that anyone could make without a model. One that does not beat them is not worth
// running, so they stand beside every score.
//
// `past` is all that is known of a channel before the first step forecast, oldest value first; the
// last of it is there (no window crosses a gap). A baseline may look further back than the model's
// look-back window: a user has those values too, and a week of hours does not fit in 96.
#pragma once

#include <cstddef>
#include <span>

namespace pulsecast {

// The last value, again and again. past (1 or more), forecast (H).
void naive_forecast(std::span<const float> past, std::span<float> forecast);

// The last `period` values, again and again. past (period or more), forecast (H). Where the value
// is a gap (NaN), that of a season earlier, and so on; where all are, the last value of `past`.
void seasonal_naive_forecast(std::span<const float> past, std::size_t period,
                             std::span<float> forecast);

// The line through the first and the last value of `history`, the look-back window, continued.
// history (T), forecast (H). One value alone is repeated.
void drift_forecast(std::span<const float> history, std::span<float> forecast);

}  // namespace pulsecast
