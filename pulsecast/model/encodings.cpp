#include "pulsecast/model/encodings.h"

#include <algorithm>
#include <cassert>

#include "pulsecast/kernels/elementwise.h"

namespace pulsecast::model {

using autodiff::Lanes;

Encodings::Side::Side(const Pulse& pulse, Encode encode, std::size_t steps)
    : pulse_(pulse), encode_(encode), steps_(steps), size_(pulse.shape().channels * steps) {}

void Encodings::Side::begin(const Calendars& calendars, std::span<const float> known,
                            std::size_t samples, std::span<const std::uint32_t> partners,
                            bool is_training) {
  of_use_.resize(samples + partners.size());
  if (known.empty()) {
    distinct_ = calendars.distinct;
    features_ = calendars.features.data();
    std::copy_n(calendars.of_sample.begin(), samples, of_use_.begin());
  } else {
    join_known(calendars, known, samples);
  }
  for (std::size_t b = 0; b < partners.size(); ++b) of_use_[samples + b] = of_use_[partners[b]];
  outputs_.resize(distinct_);
  if (is_training) gradients_.resize(of_use_.size() * size_);
}

void Encodings::Side::join_known(const Calendars& calendars, std::span<const float> known,
                                 std::size_t samples) {
  const std::size_t width = pulse_.shape().features;
  const std::size_t K = known.size() / (samples * steps_);
  const std::size_t F = width - K;
  distinct_ = samples;
  joined_.resize(samples * steps_ * width);
  float* out = joined_.data();
  for (std::size_t b = 0; b < samples; ++b) {
    of_use_[b] = static_cast<std::uint32_t>(b);
    const auto calendar = static_cast<std::size_t>(calendars.of_sample[b]);
    const float* features = calendars.features.data() + calendar * steps_ * F;
    for (std::size_t t = 0; t < steps_; ++t, out += width) {
      std::copy_n(features + t * F, F, out);
      for (std::size_t k = 0; k < K; ++k) out[F + k] = known[(b * K + k) * steps_ + t];
    }
  }
  features_ = joined_.data();
}

void Encodings::Side::forward(std::size_t lane, Arena& arena, Tape::Mode mode,
                              BoundParameters& weights) {
  const std::size_t first = Lanes::first(lane, distinct_);
  const std::size_t count = Lanes::first(lane + 1, distinct_) - first;
  if (count == 0) return;
  const std::size_t width = pulse_.shape().features;
  Tape& tape = tapes_[lane].emplace(arena, mode);
  const Tensor features = tape.constant(features_ + first * steps_ * width, {count, steps_, width});
  results_[lane] = (pulse_.*encode_)(tape, weights, features);
  for (std::size_t i = 0; i < count; ++i) {
    outputs_[first + i] = results_[lane].data + i * size_;
  }
}

void Encodings::Side::backward(std::size_t lane, Arena& arena) {
  const std::size_t first = Lanes::first(lane, distinct_);
  const std::size_t end = Lanes::first(lane + 1, distinct_);
  if (first == end) return;
  const std::span<float> sum = arena.allocate<float>((end - first) * size_);
  std::ranges::fill(sum, 0.0f);
  for (std::size_t use = 0; use < of_use_.size(); ++use) {
    if (of_use_[use] < first || of_use_[use] >= end) continue;
    float* to = sum.data() + (of_use_[use] - first) * size_;
    kernels::scale(size_, 1.0f, gradient(use), true, to);
  }
  tapes_[lane]->backward(results_[lane], sum.data());
}

std::size_t Encodings::Side::memory() const {
  return (gradients_.capacity() + joined_.capacity()) * sizeof(float);
}

Encodings::Encodings(const Pulse& pulse, Tape::Mode mode)
    : mode_(mode),
      history_(pulse, &Pulse::encode_history, pulse.shape().lookback),
      future_(pulse, &Pulse::encode_future, pulse.shape().horizon) {
  assert(pulse.shape().anchor);
}

void Encodings::begin(const Batch& batch, std::span<const std::uint32_t> partners) {
  const BatchShape& shape = batch.shape;
  const bool is_training = mode_ == Tape::Mode::kTraining;
  history_.begin(batch.history_calendars,
                 batch.known_history.first(shape.samples * shape.known * shape.lookback),
                 shape.samples, partners, is_training);
  future_.begin(batch.future_calendars,
                batch.known_future.first(shape.samples * shape.known * shape.horizon),
                shape.samples, {}, is_training);
}

void Encodings::forward(std::size_t lane, BoundParameters& weights) {
  arenas_[lane].reset();
  history_.forward(lane, arenas_[lane], mode_, weights);
  future_.forward(lane, arenas_[lane], mode_, weights);
}

void Encodings::backward(std::size_t lane) {
  future_.backward(lane, arenas_[lane]);
  history_.backward(lane, arenas_[lane]);
}

std::size_t Encodings::memory() const {
  std::size_t bytes = history_.memory() + future_.memory();
  for (const Arena& arena : arenas_) bytes += arena.capacity();
  return bytes;
}

}  // namespace pulsecast::model
