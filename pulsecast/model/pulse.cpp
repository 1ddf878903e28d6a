#include "pulsecast/model/pulse.h"

#include <cmath>

namespace pulsecast::model {

using namespace autodiff;

namespace {

const ModelShape& checked(const ModelShape& shape) {
  require_valid(shape);
  return shape;
}

}  // namespace

Pulse::Pulse(const ModelShape& shape) : Pulse(shape, backbone_maker(shape.backbone)) {}

Pulse::Pulse(const ModelShape& shape, const BackboneMaker& maker)
    : shape_(checked(shape)),
      normaliser_(parameters_, shape.channels, shape.alone ? maker.alone : Normalisation::kAffine) {
  if (shape.anchor) {
    codebook_ = parameters_.add("anchor.codebook", {shape.codebook_rows, shape.channels});
    history_encoder_.emplace(parameters_, "history_encoder", shape, shape.lookback);
    future_encoder_.emplace(parameters_, "future_encoder", shape, shape.horizon);
  }
  backbone_ = maker.make(parameters_, shape);
  if (shape.anchor && shape.router) router_.emplace(parameters_, shape);
  if (shape.companion) companion_.emplace(parameters_, shape);
}

void Pulse::initialise(std::uint64_t seed) {
  normaliser_.initialise(parameters_);
  if (shape_.anchor) {
    const auto sizes = static_cast<float>(shape_.codebook_rows + shape_.channels);
    parameters_.fill_normal(*codebook_, seed, std::sqrt(2.0f / sizes));
    history_encoder_->initialise(parameters_, seed);
    future_encoder_->initialise(parameters_, seed);
  }
  backbone_->initialise(parameters_, seed);
  if (router_) router_->initialise(parameters_, seed);
}

std::optional<Tensor> Pulse::anchor(Tape& tape, BoundParameters& weights,
                                    const SampleRows& rows) const {
  if (!shape_.anchor) return std::nullopt;
  return gather_columns_onto(tape, weights[*codebook_], rows.codebook, rows.encoding, rows.samples,
                             shape_.lookback)
      .reshaped(rows.history.shape);
}

Tensor Pulse::forecast(Tape& tape, BoundParameters& weights, const SampleRows& rows,
                       const FutureParts& future) const {
  return components(tape, weights, rows, future).forecast;
}

Pulse::Components Pulse::components(Tape& tape, BoundParameters& weights, const SampleRows& rows,
                                    const FutureParts& future) const {
  const std::optional<Tensor> own = anchor(tape, weights, rows);
  const Normalised input = normaliser_.normalise(tape, weights, rows.history, own);
  Components parts = finish(tape, weights, input, own, future, rows.context, {});
  parts.past_anchor = own;
  if (companion_) parts.forecast = companion_->join(tape, weights, rows.history, parts.forecast);
  return parts;
}

Tensor Pulse::forecast_mixed(Tape& tape, BoundParameters& weights, const SampleRows& rows,
                             const SampleRows& partners, const FutureParts& future,
                             const TrainingPass& pass) const {
  const Window own{rows.history, anchor(tape, weights, rows)};
  BackboneContext context = rows.context;
  context.dropout = pass.dropout.stream;
  context.first_sample = pass.dropout.first_row / shape_.channels;
  context.is_training = true;
  if (pass.mixup == Mixup::kNone) {
    const Normalised input = normaliser_.normalise(tape, weights, own.history, own.anchor);
    return finish(tape, weights, input, own.anchor, future, context, pass.dropout).forecast;
  }
  context.partners = partners.context.samples;
  context.mixup = pass.mixup;
  context.weight = pass.weight;
  const Window partner{partners.history, anchor(tape, weights, partners)};
  const Normalised input =
      mix_windows(tape, weights, normaliser_, own, partner, pass.mixup, pass.weight);
  return finish(tape, weights, input, own.anchor, future, context, pass.dropout).forecast;
}

Pulse::Components Pulse::finish(Tape& tape, BoundParameters& weights, const Normalised& input,
                                const std::optional<Tensor>& anchor, const FutureParts& future,
                                const BackboneContext& context,
                                const RouterDropout& dropout) const {
  const Tensor raw = backbone_->forward(tape, weights, input.values, context);  // Y0 (rows, H)
  std::optional<Tensor> generated;                                              // A_y
  std::optional<Tensor> routed;
  if (anchor) {
    const std::size_t samples = raw.shape[0] / shape_.channels;
    if (router_) {
      routed = (*router_)(tape, weights, future.router, *anchor, raw, dropout);
      generated = add_to_samples(tape, *routed, future.encoding, samples);
    } else {
      generated = join_samples(tape, future.encoding, raw.shape, samples);
    }
  }
  return {normaliser_.denormalise(tape, weights, raw, generated, input.mean, input.deviation),
          generated, input.mean, input.deviation, routed};
}

}  // namespace pulsecast::model
