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

// The last `period` values, again and again. past (1 or more), forecast (H), of float or double.
// Where the value is a gap (NaN) or before all that is known, that of a season earlier, and so on;
// where there is none, the last value that is there; where none is, NaN.
template <typename Value>
void seasonal_naive_forecast(std::span<const Value> past, std::size_t period,
                             std::span<Value> forecast);

// The line through the first and the last value of `history`, the look-back window, continued.
// history (T), forecast (H). One value alone is repeated.
void drift_forecast(std::span<const float> history, std::span<float> forecast);

}  // namespace pulsecast
