#include "pulsecast/batch/batch.h"

#include <algorithm>
#include <cassert>

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
          .present = arena.allocate<std::uint8_t>(shape.may_lack_channels ? B * shape.channels : 0),
          .history_phase = arena.allocate<std::int32_t>(B * T),
          .future_phase = arena.allocate<std::int32_t>(B * H),
          .history_calendars = allocate_calendars(shape, T, arena),
          .future_calendars = allocate_calendars(shape, H, arena)};
}

void list_distinct(Calendars& calendars, std::size_t samples) {
  assert(samples <= calendars.of_sample.size());
  const auto keys = calendars.keys.first(samples);
  std::ranges::copy(calendars.of_sample.first(samples), keys.begin());
  std::ranges::sort(keys);
  const auto end = std::unique(keys.begin(), keys.end());
  calendars.distinct = static_cast<std::size_t>(end - keys.begin());
  for (std::size_t b = 0; b < samples; ++b) {
    const auto place = std::lower_bound(keys.begin(), end, calendars.of_sample[b]);
    calendars.of_sample[b] = static_cast<std::int32_t>(place - keys.begin());
  }
}

Batch part_of(const Batch& batch, std::size_t first, std::size_t count) {
  const BatchShape& shape = batch.shape;
  const auto cut = [&](auto span, std::size_t size) {
    return span.subspan(first * size, count * size);
  };
  Batch part{.shape = shape,
             .history = cut(batch.history, shape.channels * shape.lookback),
             .target = cut(batch.target, shape.channels * shape.horizon),
             .known_history = cut(batch.known_history, shape.known * shape.lookback),
             .known_future = cut(batch.known_future, shape.known * shape.horizon),
             .past_history = cut(batch.past_history, shape.past * shape.lookback),
             .present = batch.present.empty() ? batch.present : cut(batch.present, shape.channels),
             .history_phase = cut(batch.history_phase, shape.lookback),
             .future_phase = cut(batch.future_phase, shape.horizon),
             .history_calendars = {},
             .future_calendars = {}};
  part.shape.samples = count;
  return part;
}

Forecast allocate_forecast(const BatchShape& shape, Arena& arena) {
  return {shape.samples, shape.channels, shape.horizon,
          arena.allocate<float>(shape.samples * shape.channels * shape.horizon)};
}

}  // namespace pulsecast
