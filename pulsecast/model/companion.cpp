#include "pulsecast/model/companion.h"

#include <algorithm>
#include <cassert>

#include "pulsecast/model/normaliser.h"

namespace pulsecast::model {

using namespace autodiff;

Companion::Companion(Parameters& parameters, const ModelShape& shape)
    : weight_(parameters.add_buffer("companion.weight", {shape.horizon, shape.lookback})),
      bias_(parameters.add_buffer("companion.bias", {shape.horizon})),
      share_(parameters.add_buffer("companion.share", {1})) {}

void Companion::put(Parameters& parameters, std::span<const float> linear) const {
  const std::span<float> weight = parameters.weights(weight_);
  const std::span<float> bias = parameters.weights(bias_);
  assert(linear.size() == weight.size() + bias.size());
  std::ranges::copy(linear.first(weight.size()), weight.begin());
  std::ranges::copy(linear.last(bias.size()), bias.begin());
}

void Companion::set_share(Parameters& parameters, float share) const {
  parameters.fill(share_, share);
}

Tensor Companion::join(Tape& tape, BoundParameters& weights, const Tensor& history,
                       const Tensor& forecast) const {
  const float share = *weights[share_].data;
  if (share == 0.0f) return forecast;
  const Normalised input = normalise_data(tape, Normalisation::kMean, history);
  const Tensor map = linear(tape, input.values, weights[weight_], weights[bias_]);
  const Tensor joined = tape.result(forecast.shape, false);
  const std::size_t rows = forecast.shape[0];
  const std::size_t H = forecast.shape[1];
  for (std::size_t row = 0; row < rows; ++row) {
    const float mean = input.mean.data[row];
    for (std::size_t at = row * H; at < (row + 1) * H; ++at) {
      const float own = forecast.data[at];
      joined.data[at] = own + share * (map.data[at] + mean - own);
    }
  }
  return joined;
}

}  // namespace pulsecast::model
