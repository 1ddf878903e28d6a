#include "pulsecast/model/backbone_context.h"

#include <algorithm>

namespace pulsecast::model {

using autodiff::Tape;
using autodiff::Tensor;

namespace {

// No batch has as many rows.
constexpr std::uint64_t kPlaceRows = std::uint64_t{1} << 30;

// known (B, K, steps)
Tensor marks_of(Tape& tape, std::span<const std::uint32_t> samples, const Calendars& calendars,
                std::span<const float> known, const BatchShape& shape, std::size_t steps) {
  const std::size_t F = shape.features;
  const std::size_t K = shape.known;
  const autodiff::Shape size{samples.size(), F + K, steps};
  float* to = tape.floats(size.count());
  const Tensor marks = tape.constant(to, size);
  for (const std::uint32_t sample : samples) {
    const float* from = calendars.features.data() +
                        static_cast<std::size_t>(calendars.of_sample[sample]) * steps * F;
    for (std::size_t f = 0; f < F; ++f) {
      for (std::size_t t = 0; t < steps; ++t) *to++ = from[t * F + f];
    }
    to = std::copy_n(known.data() + sample * K * steps, K * steps, to);
  }
  return marks;
}

// (samples * P, T)
Tensor past_of(Tape& tape, std::span<const std::uint32_t> samples, const Batch& batch) {
  const std::size_t size = batch.shape.past * batch.shape.lookback;
  float* to = tape.floats(samples.size() * size);
  const Tensor rows = tape.constant(to, {samples.size() * batch.shape.past, batch.shape.lookback});
  for (const std::uint32_t sample : samples) {
    to = std::copy_n(batch.past_history.data() + sample * size, size, to);
  }
  return rows;
}

const std::uint32_t* phases_of(Tape& tape, std::span<const std::uint32_t> samples,
                               std::span<const std::int32_t> phases, std::size_t steps) {
  const std::span<std::uint32_t> gathered =
      tape.arena().allocate<std::uint32_t>(samples.size() * steps);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::transform(phases.data() + samples[i] * steps, phases.data() + (samples[i] + 1) * steps,
                   gathered.data() + i * steps,
                   [](std::int32_t phase) { return static_cast<std::uint32_t>(phase); });
  }
  return gathered.data();
}

}  // namespace

Tensor BackboneContext::history_marks(Tape& tape) const {
  return marks_of(tape, samples, batch->history_calendars, batch->known_history, batch->shape,
                  batch->shape.lookback);
}

Tensor BackboneContext::future_marks(Tape& tape) const {
  return marks_of(tape, samples, batch->future_calendars, batch->known_future, batch->shape,
                  batch->shape.horizon);
}

Tensor BackboneContext::past_rows(Tape& tape, Normalisation kind) const {
  const autodiff::Shape size{samples.size(), batch->shape.past, batch->shape.lookback};
  const Tensor own = past_of(tape, samples, *batch);
  if (mixup == Mixup::kNone) return normalise_data(tape, kind, own).values.reshaped(size);
  const Tensor partner = past_of(tape, partners, *batch);
  if (mixup == Mixup::kPlain) {
    const Tensor mixed = autodiff::mix(tape, own, partner, weight);
    return normalise_data(tape, kind, mixed).values.reshaped(size);
  }
  return autodiff::mix(tape, normalise_data(tape, kind, own).values,
                       normalise_data(tape, kind, partner).values, weight)
      .reshaped(size);
}

const std::uint32_t* BackboneContext::history_phases(Tape& tape) const {
  return phases_of(tape, samples, batch->history_phase, batch->shape.lookback);
}

const std::uint32_t* BackboneContext::future_phases(Tape& tape) const {
  return phases_of(tape, samples, batch->future_phase, batch->shape.horizon);
}

Tensor BackboneContext::drop(Tape& tape, const Tensor& x, float rate, std::uint64_t place) const {
  if (!is_training) return x;
  random::Stream stream = dropout;
  stream.purpose = random::Purpose::kDropout;
  const std::size_t each = x.shape.rows() / samples.size();
  return autodiff::dropout(tape, x, stream, rate, place * kPlaceRows + first_sample * each);
}

autodiff::AttentionDropout BackboneContext::attention_dropout(std::size_t rows, float rate,
                                                              std::uint64_t place) const {
  if (!is_training) return {};
  random::Stream stream = dropout;
  stream.purpose = random::Purpose::kAttentionDropout;
  return {stream, rate, place * kPlaceRows + first_sample * (rows / samples.size())};
}

}  // namespace pulsecast::model
