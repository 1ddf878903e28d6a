#include "pulsecast/model/newest_steps.h"

#include <algorithm>

namespace pulsecast::model {
namespace {

// rows (rows, T * width) -> the last t * width of each.
template <typename T>
std::span<T> last_of_each(std::span<const T> rows, std::size_t count, std::size_t whole,
                          std::size_t kept, Arena& arena) {
  const std::span<T> out = arena.allocate<T>(count * kept);
  for (std::size_t row = 0; row < count; ++row) {
    std::copy_n(rows.data() + (row + 1) * whole - kept, kept, out.data() + row * kept);
  }
  return out;
}

}  // namespace

const Batch& NewestSteps::of(const Batch& batch, std::size_t lookback) {
  const BatchShape& shape = batch.shape;
  const std::size_t T = shape.lookback;
  const std::size_t B = shape.samples;
  arena_.reset();
  const auto newest = [&](std::span<const float> rows, std::size_t channels) {
    return last_of_each(rows, B * channels, T, lookback, arena_);
  };
  cut_ = batch;
  cut_.shape.lookback = lookback;
  cut_.history = newest(batch.history, shape.channels);
  cut_.known_history = newest(batch.known_history, shape.known);
  cut_.past_history = newest(batch.past_history, shape.past);
  cut_.history_phase =
      last_of_each(std::span<const std::int32_t>(batch.history_phase), B, T, lookback, arena_);
  const Calendars& calendars = batch.history_calendars;
  cut_.history_calendars.features =
      last_of_each(std::span<const float>(calendars.features), calendars.distinct,
                   T * shape.features, lookback * shape.features, arena_);
  return cut_;
}

}  // namespace pulsecast::model
