#include "pulsecast/model/encodings.h"

#include <algorithm>

#include "pulsecast/model/batch_cut.h"

namespace pulsecast::model {

Encodings::Encodings(const Pulse& pulse, Tape::Mode mode)
    : pulse_(pulse),
      history_(pulse.history_encoder(), mode, pulse.shape().channels, pulse.shape().features),
      future_(pulse.future_encoder(), mode, pulse.shape().channels, pulse.shape().features) {}

void Encodings::begin(const Batch& batch, std::span<const std::uint32_t> partners) {
  const BatchShape& shape = batch.shape;
  history_.begin(batch.history_calendars,
                 batch.known_history.first(shape.samples * shape.known * shape.lookback),
                 shape.samples, partners);
  future_.begin(batch.future_calendars,
                batch.known_future.first(shape.samples * shape.known * shape.horizon),
                shape.samples, {});
  lanes_ = lanes_of_calendars(std::max(history_.pending(), future_.pending()));
}

void Encodings::keep(std::size_t history_keys, std::size_t future_keys) {
  history_.keep(history_keys);
  future_.keep(future_keys);
}

void Encodings::fold(ThreadPool& pool) {
  const float* weights = pulse_.parameters().weights().data();
  history_.fold(weights + conv_offset(pulse_.history_encoder()), lanes_, pool);
  future_.fold(weights + conv_offset(pulse_.future_encoder()), lanes_, pool);
}

void Encodings::forward(std::size_t lane, BoundParameters& weights) {
  arenas_[lane].reset();
  history_.forward(lane, arenas_[lane], weights);
  future_.forward(lane, arenas_[lane], weights);
}

void Encodings::backward(std::size_t lane) {
  future_.backward(lane, arenas_[lane]);
  history_.backward(lane, arenas_[lane]);
}

void Encodings::unfold(std::span<float> gradients, ThreadPool& pool) {
  history_.unfold(gradients.data() + conv_offset(pulse_.history_encoder()), pool);
  future_.unfold(gradients.data() + conv_offset(pulse_.future_encoder()), pool);
}

std::size_t Encodings::memory() const {
  std::size_t bytes = history_.memory() + future_.memory();
  for (const Arena& arena : arenas_) bytes += arena.capacity();
  return bytes;
}

}  // namespace pulsecast::model
