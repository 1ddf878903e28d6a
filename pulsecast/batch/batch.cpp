#include "pulsecast/batch/batch.h"

namespace pulsecast {
namespace {

Calendars allocate_calendars(const BatchShape& shape, std::size_t steps, Arena& arena) {
  return {.of_sample = arena.allocate<std::int32_t>(shape.samples),
          .keys = arena.allocate<std::int32_t>(shape.samples),
          .features = arena.allocate<float>(shape.samples * steps * shape.features)};
}

}  // namespace

Batch allocate_batch(const BatchShape& shape, Arena& arena) {
  const std::size_t B = shape.samples;
  const std::size_t T = shape.lookback;
  const std::size_t H = shape.horizon;
  return {.shape = shape,
          .history = arena.allocate<float>(B * shape.channels * T),
          .target = arena.allocate<float>(B * shape.channels * H),
          .known_history = arena.allocate<float>(B * shape.known * T),
          .known_future = arena.allocate<float>(B * shape.known * H),
          .past_history = arena.allocate<float>(B * shape.past * T),
          .history_phase = arena.allocate<std::int32_t>(B * T),
          .future_phase = arena.allocate<std::int32_t>(B * H),
          .history_calendars = allocate_calendars(shape, T, arena),
          .future_calendars = allocate_calendars(shape, H, arena)};
}

Forecast allocate_forecast(const BatchShape& shape, Arena& arena) {
  return {shape.samples, shape.channels, shape.horizon,
          arena.allocate<float>(shape.samples * shape.channels * shape.horizon)};
}

}  // namespace pulsecast
