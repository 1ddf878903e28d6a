#include "pulsecast/model/pulse_inference.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "pulsecast/model/batch_rows.h"

namespace pulsecast::model {

PulseInference::PulseInference(const Pulse& pulse, ThreadPool& pool)
    : pulse_(pulse),
      pool_(pool),
      weights_(pulse.parameters()),
      packed_(pulse.parameters(), autodiff::PackedWeights::Passes::kForward) {
  packed_.bind(weights_);
  if (pulse.shape().anchor) encodings_.emplace(pulse, Tape::Mode::kInference);
  if (pulse.router() != nullptr) router_.emplace(*pulse.router(), Tape::Mode::kInference);
  for (std::size_t worker = 0; worker < pool.size(); ++worker) {
    arenas_.push_back(std::make_unique<Arena>());
  }
  spent_.resize(pool.size());
}

std::size_t PulseInference::spent() const {
  return std::accumulate(spent_.begin(), spent_.end(),
                         (encodings_ ? encodings_->spent() : 0) + (router_ ? router_->spent() : 0));
}

std::size_t PulseInference::memory() const {
  std::size_t bytes = packed_.memory() + (encodings_ ? encodings_->memory() : 0) +
                      (router_ ? router_->memory() : 0);
  for (const auto& arena : arenas_) bytes += arena->capacity();
  return bytes;
}

void PulseInference::keep(std::size_t history_keys, std::size_t future_keys) {
  if (encodings_) encodings_->keep(history_keys, future_keys);
  are_prepared_ = false;
  weights_stand_still_ = true;
}

void PulseInference::forget() {
  if (encodings_) encodings_->keep(0, 0);
  are_prepared_ = false;
  weights_stand_still_ = false;
}

void PulseInference::encode() {
  const std::size_t pending = encodings_->pending();
  if (pending == 0) return;
  encodings_->fold(pool_);
  // Of one window there are two, and waking another thread would take longer.
  constexpr std::size_t kFew = 2;
  if (pending <= kFew) {
    for (std::size_t lane = 0; lane < encodings_->lanes(); ++lane) {
      encodings_->forward(lane, weights_);
    }
    return;
  }
  pool_.run(encodings_->lanes(),
            [&](std::size_t lane, std::size_t) { encodings_->forward(lane, weights_); });
}

// What is computed from the weights alone.
void PulseInference::prepare_weights() {
  if (are_prepared_) return;
  packed_.pack(Team(pool_));
  if (router_) router_->forward(weights_);
  are_prepared_ = weights_stand_still_;
}

template <typename Store>
void PulseInference::run(const Batch& batch, Store&& store) {
  const ModelShape& shape = pulse_.shape();
  prepare_weights();
  Encodings* encodings = encodings_ ? &*encodings_ : nullptr;
  if (encodings != nullptr) {
    encodings->begin(batch);
    encode();
  }
  std::ranges::fill(spent_, 0);
  const BatchCut cut(batch.shape.samples, shape.channels);
  pool_.run(cut.shards(), [&](std::size_t index, std::size_t worker) {
    const SampleRange range = cut.shard(index);
    Arena& arena = *arenas_[worker];
    arena.reset();
    Tape tape(arena, Tape::Mode::kInference);
    const std::span<std::uint32_t> numbers = arena.allocate<std::uint32_t>(range.count);
    std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(range.first));
    const SampleRows rows = gather_rows_of(tape, shape, batch, encodings, numbers, range.first);
    const FutureParts future{gather_future(tape, encodings, range),
                             router_ ? router_->maps() : RouterMaps{}};
    store(range, pulse_.components(tape, weights_, rows, future));
    spent_[worker] += tape.spent();
  });
}

void PulseInference::forecast(const Batch& batch, Forecast& forecast) {
  const std::size_t size = pulse_.shape().channels * pulse_.shape().horizon;
  assert(forecast.values.size() >= batch.shape.samples * size);
  forecast.samples = batch.shape.samples;
  run(batch, [&](SampleRange range, const Pulse::Components& parts) {
    std::copy_n(parts.forecast.data, range.count * size,
                forecast.values.data() + range.first * size);
  });
}

void PulseInference::forecast(const Batch& batch, Forecast& forecast, const ForecastParts& out) {
  const std::size_t C = pulse_.shape().channels;
  const std::size_t size = C * pulse_.shape().horizon;
  forecast.samples = batch.shape.samples;
  run(batch, [&](SampleRange range, const Pulse::Components& parts) {
    std::copy_n(parts.forecast.data, range.count * size,
                forecast.values.data() + range.first * size);
    const auto store = [&](const std::optional<Tensor>& part, std::size_t each,
                           std::span<float> whole) {
      if (whole.empty()) return;
      float* own = whole.data() + range.first * each;
      if (part) {
        std::copy_n(part->data, range.count * each, own);
      } else {
        std::fill_n(own, range.count * each, 0.0f);
      }
    };
    store(parts.anchor, size, out.anchor);
    store(parts.routed, size, out.routed);
    store(parts.past_anchor, C * pulse_.shape().lookback, out.past_anchor);
    std::copy_n(parts.mean.data, range.count * C, out.mean.data() + range.first * C);
    std::copy_n(parts.deviation.data, range.count * C, out.deviation.data() + range.first * C);
  });
}

}  // namespace pulsecast::model
