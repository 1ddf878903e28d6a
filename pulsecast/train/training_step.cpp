#include "pulsecast/train/training_step.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace pulsecast::train {

using autodiff::BoundParameters;
using autodiff::Tape;
using autodiff::Tensor;
using model::Encodings;
using model::SampleRange;
using model::SampleRows;

namespace {

// The lane that multiplies out the router's maps, for all of them.
constexpr std::size_t kRouterLane = 0;

// Of what shards share and gather gradients for beside the weights: the router's maps.
std::array<std::size_t, model::RouterMaps::kCount> shared_sizes(model::Pulse& pulse) {
  if (pulse.router() == nullptr) return {};
  return model::SharedRouter::sizes(*pulse.router(), pulse.parameters());
}

}  // namespace

TrainingStep::TrainingStep(model::Pulse& pulse, ThreadPool& pool, LossKind loss, Mixup mixup)
    : pulse_(pulse),
      pool_(pool),
      loss_(loss),
      mixup_(mixup),
      fft_(pulse.shape().horizon),
      lanes_(pulse.parameters(), pool, shared_sizes(pulse)) {
  if (pulse.shape().anchor) encodings_.emplace(pulse, Tape::Mode::kTraining);
  if (pulse.router() != nullptr) router_.emplace(*pulse.router(), Tape::Mode::kTraining);
}

model::BatchCut TrainingStep::cut_of(std::size_t samples) const {
  return pulse_.needs_whole_batch() ? model::BatchCut::whole(samples)
                                    : model::BatchCut(samples, pulse_.shape().channels);
}

double TrainingStep::run(const Batch& batch, const MixupDraw& draw, const random::Stream& dropout) {
  const model::BatchCut cut = cut_of(batch.shape.samples);
  present_rows_ = count_present(batch, draw);
  lanes_.begin();
  if (encodings_) {
    encodings_->begin(batch,
                      mixup_ == Mixup::kNone ? std::span<const std::uint32_t>{} : draw.partners);
    encodings_->fold(pool_);
    lanes_.kept_forward(encodings_->lanes(), [&](std::size_t lane, BoundParameters& weights) {
      if (lane == kRouterLane && router_) router_->forward(weights);
      encodings_->forward(lane, weights);
    });
  }
  lanes_.shards(cut.cut(), [&](std::size_t index, Tape& tape, BoundParameters& weights) {
    return shard(cut.shard(index), batch, draw, dropout, tape, weights);
  });
  if (encodings_) {
    lanes_.kept_backward([&](std::size_t lane) {
      if (lane == kRouterLane && router_) {
        std::array<float*, model::RouterMaps::kCount> gathered{};
        for (std::size_t i = 0; i < gathered.size(); ++i) gathered[i] = lanes_.shared_gradient(i);
        router_->backward(gathered);
      }
      encodings_->backward(lane);
    });
  }
  const double loss = lanes_.finish();
  if (encodings_) encodings_->unfold(lanes_.gradients(), pool_);
  return loss;
}

Tensor TrainingStep::shard(SampleRange range, const Batch& batch, const MixupDraw& draw,
                           const random::Stream& dropout, Tape& tape, BoundParameters& weights) {
  const model::ModelShape& shape = pulse_.shape();
  const std::size_t samples = batch.shape.samples;
  Encodings* encodings = encodings_ ? &*encodings_ : nullptr;
  const std::span<std::uint32_t> numbers = tape.arena().allocate<std::uint32_t>(range.count);
  std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(range.first));
  const SampleRows rows =
      model::gather_rows_of(tape, shape, batch, encodings, numbers, range.first);
  SampleRows partners;
  if (mixup_ != Mixup::kNone) {
    partners = model::gather_rows_of(tape, shape, batch, encodings,
                                     draw.partners.subspan(range.first, range.count),
                                     samples + range.first);
  }
  const model::TrainingPass pass{.dropout = {.stream = dropout,
                                             .rate = shape.dropout,
                                             .first_row = range.first * shape.channels,
                                             .batch_rows = samples * shape.channels},
                                 .mixup = mixup_,
                                 .weight = draw.weight};
  const model::FutureParts future{model::gather_future(tape, encodings, range),
                                  router_ ? router_->maps(weights) : model::RouterMaps{}};
  const Tensor y = pulse_.forecast_mixed(tape, weights, rows, partners, future, pass);
  const Tensor target = target_of(range, batch, draw, tape);
  const float weight = 1.0f / static_cast<float>(present_rows_ * shape.horizon);
  if (batch.present.empty()) return loss_of(tape, y, target, weight);
  const std::span<std::uint32_t> there =
      tape.arena().allocate<std::uint32_t>(range.count * shape.channels);
  std::size_t count = 0;
  for (std::size_t row = 0; row < there.size(); ++row) {
    const bool is_there =
        is_present(batch, draw, range.first + row / shape.channels, row % shape.channels);
    if (is_there) there[count++] = static_cast<std::uint32_t>(row);
  }
  // Nothing of these samples is there: no error, and a gradient of zero.
  if (count == 0) return squared_error(tape, y, tape.constant(y.data, y.shape), 0.0f);
  const auto selected = there.first(count);
  return loss_of(tape, select_rows(tape, y, selected), select_rows(tape, target, selected), weight);
}

bool TrainingStep::is_present(const Batch& batch, const MixupDraw& draw, std::size_t sample,
                              std::size_t channel) const {
  const std::size_t C = pulse_.shape().channels;
  return batch.present[sample * C + channel] != 0 &&
         (mixup_ == Mixup::kNone || batch.present[draw.partners[sample] * C + channel] != 0);
}

std::size_t TrainingStep::count_present(const Batch& batch, const MixupDraw& draw) const {
  const std::size_t samples = batch.shape.samples;
  const std::size_t C = pulse_.shape().channels;
  if (batch.present.empty()) return samples * C;
  std::size_t count = 0;
  for (std::size_t sample = 0; sample < samples; ++sample) {
    for (std::size_t c = 0; c < C; ++c) count += is_present(batch, draw, sample, c) ? 1 : 0;
  }
  return std::max<std::size_t>(1, count);
}

Tensor TrainingStep::loss_of(Tape& tape, const Tensor& y, const Tensor& target,
                             float weight) const {
  switch (loss_) {
    case LossKind::kSquared:
      return squared_error(tape, y, target, weight);
    case LossKind::kAbsolute:
      return absolute_error(tape, y, target, weight);
    case LossKind::kFrequency:
      break;
  }
  return spectral_error(tape, y, target, fft_, weight);
}

Tensor TrainingStep::target_of(SampleRange range, const Batch& batch, const MixupDraw& draw,
                               Tape& tape) const {
  const std::size_t size = pulse_.shape().channels * pulse_.shape().horizon;
  const autodiff::Shape rows{range.count * pulse_.shape().channels, pulse_.shape().horizon};
  const Tensor own = tape.constant(batch.target.data() + range.first * size, rows);
  if (mixup_ == Mixup::kNone) return own;
  float* partner = tape.floats(rows.count());
  for (std::size_t i = 0; i < range.count; ++i) {
    std::copy_n(batch.target.data() + draw.partners[range.first + i] * size, size,
                partner + i * size);
  }
  return mix(tape, own, tape.constant(partner, rows), draw.weight);
}

std::size_t TrainingStep::memory() const {
  return lanes_.memory() + (encodings_ ? encodings_->memory() : 0) +
         (router_ ? router_->memory() : 0);
}

}  // namespace pulsecast::train
