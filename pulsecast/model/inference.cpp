#include "pulsecast/model/inference.h"

#include <algorithm>

namespace pulsecast::model {
namespace {

// sum (n) = share * values, or plus it where others came before.
void add_share(float share, bool is_first, std::span<const float> values, std::span<float> sum) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum[i] = is_first ? share * values[i] : sum[i] + share * values[i];
  }
}

}  // namespace

Inference::Inference(const Pulse& pulse, ThreadPool& pool) {
  seats_.push_back(std::make_unique<Seat>(pulse, 1.0f, pool));
}

Inference::Inference(const Ensemble& ensemble, ThreadPool& pool) {
  for (const Member& member : ensemble.members()) {
    seats_.push_back(std::make_unique<Seat>(*member.pulse, member.share, pool));
  }
}

const Batch& Inference::seen_by(Seat& seat, const Batch& batch) {
  const std::size_t lookback = seat.own.pulse().shape().lookback;
  return lookback == batch.shape.lookback ? batch : seat.newest.of(batch, lookback);
}

std::span<float> Inference::scratch_like(std::span<const float> values) {
  return scratch_.allocate<float>(values.size());
}

void Inference::forecast(const Batch& batch, Forecast& forecast) {
  if (is_one()) {
    seats_.front()->own.forecast(seen_by(*seats_.front(), batch), forecast);
    return;
  }
  const std::size_t values = batch.shape.samples * forecast.channels * forecast.horizon;
  forecast.samples = batch.shape.samples;
  scratch_.reset();
  Forecast said = forecast;
  said.values = scratch_like(forecast.values.first(values));
  for (const auto& seat : seats_) {
    seat->own.forecast(seen_by(*seat, batch), said);
    add_share(seat->share, seat == seats_.front(), said.values, forecast.values.first(values));
  }
}

void Inference::forecast(const Batch& batch, Forecast& forecast, const Parts& out) {
  if (is_one()) {
    seats_.front()->own.forecast(seen_by(*seats_.front(), batch), forecast, out);
    return;
  }
  const std::size_t rows = batch.shape.samples * forecast.channels;
  const std::size_t values = rows * forecast.horizon;
  forecast.samples = batch.shape.samples;
  scratch_.reset();
  Forecast said = forecast;
  said.values = scratch_like(forecast.values.first(values));
  const Parts parts{scratch_like(out.anchor.first(values)), scratch_like(out.mean.first(rows)),
                    scratch_like(out.deviation.first(rows))};
  for (const auto& seat : seats_) {
    const bool is_first = seat == seats_.front();
    seat->own.forecast(seen_by(*seat, batch), said, parts);
    add_share(seat->share, is_first, said.values, forecast.values.first(values));
    add_share(seat->share, is_first, parts.anchor, out.anchor.first(values));
    add_share(seat->share, is_first, parts.mean, out.mean.first(rows));
    add_share(seat->share, is_first, parts.deviation, out.deviation.first(rows));
  }
  std::ranges::fill(out.routed, 0.0f);
  std::ranges::fill(out.past_anchor, 0.0f);
}

Inference::Keeping::Keeping(Inference& inference, std::size_t history_keys, std::size_t future_keys)
    : inference_(inference) {
  for (const auto& seat : inference_.seats_) seat->own.keep(history_keys, future_keys);
}

Inference::Keeping::~Keeping() {
  for (const auto& seat : inference_.seats_) seat->own.forget();
}

std::size_t Inference::spent() const {
  std::size_t spent = 0;
  for (const auto& seat : seats_) spent += seat->own.spent();
  return spent;
}

std::size_t Inference::memory() const {
  std::size_t bytes = scratch_.capacity();
  for (const auto& seat : seats_) bytes += seat->own.memory() + seat->newest.memory();
  return bytes;
}

}  // namespace pulsecast::model
