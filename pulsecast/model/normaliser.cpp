#include "pulsecast/model/normaliser.h"

namespace pulsecast::model {

using namespace autodiff;

Normaliser::Normaliser(Parameters& parameters, std::size_t channels)
    : gamma_(parameters.add("revin.gamma", {channels})),
      beta_(parameters.add("revin.beta", {channels})) {}

void Normaliser::initialise(Parameters& parameters) const {
  parameters.fill(gamma_, 1.0f);
  parameters.fill(beta_, 0.0f);
}

Tensor Normaliser::residual(Tape& tape, const Tensor& history,
                            const std::optional<Tensor>& anchor) {
  return anchor ? subtract(tape, history, *anchor) : history;
}

Normalised Normaliser::normalise(Tape& tape, BoundParameters& weights, const Tensor& residual,
                                 const std::optional<Tensor>& anchor) const {
  const Standardised standard = standardise(tape, residual);
  const Tensor scaled = affine(tape, standard.values, weights[gamma_], weights[beta_]);
  return {anchor, anchor ? add(tape, scaled, *anchor) : scaled, standard.mean, standard.deviation};
}

Tensor Normaliser::denormalise(Tape& tape, BoundParameters& weights, const Tensor& forecast,
                               const std::optional<Tensor>& anchor, const Tensor& mean,
                               const Tensor& deviation) const {
  const Tensor residual = anchor ? subtract(tape, forecast, *anchor) : forecast;
  const Tensor scaled = destandardise(
      tape, inverse_affine(tape, residual, weights[gamma_], weights[beta_]), mean, deviation);
  return anchor ? add(tape, scaled, *anchor) : scaled;
}

}  // namespace pulsecast::model
