#include "pulsecast/model/layers.h"

#include <cmath>

namespace pulsecast::model {

void initialise_by_fan_in(Parameters& parameters, ParameterId id, std::uint64_t seed,
                          std::size_t fan_in) {
  const float bound = 1.0f / std::sqrt(static_cast<float>(fan_in));
  parameters.fill_uniform(id, seed, -bound, bound);
}

LinearLayer::LinearLayer(Parameters& parameters, const std::string& name, std::size_t in,
                         std::size_t out)
    : weight_(parameters.add(name + ".weight", {out, in})),
      bias_(parameters.add(name + ".bias", {out})),
      in_(in) {}

void LinearLayer::initialise(Parameters& parameters, std::uint64_t seed) const {
  initialise_by_fan_in(parameters, weight_, seed, in_);
  initialise_by_fan_in(parameters, bias_, seed, in_);
}

Tensor LinearLayer::operator()(Tape& tape, BoundParameters& weights, const Tensor& x) const {
  return autodiff::linear(tape, x, weights[weight_], weights[bias_]);
}

Tensor LinearLayer::with_gelu(Tape& tape, BoundParameters& weights, const Tensor& x) const {
  return autodiff::linear_gelu(tape, x, weights[weight_], weights[bias_]);
}

LayerNormLayer::LayerNormLayer(Parameters& parameters, const std::string& name, std::size_t width)
    : weight_(parameters.add(name + ".weight", {width})),
      bias_(parameters.add(name + ".bias", {width})) {}

void LayerNormLayer::initialise(Parameters& parameters) const {
  parameters.fill(weight_, 1.0f);
  parameters.fill(bias_, 0.0f);
}

Tensor LayerNormLayer::operator()(Tape& tape, BoundParameters& weights, const Tensor& x) const {
  return autodiff::layer_norm(tape, x, weights[weight_], weights[bias_]);
}

AttentionLayer::AttentionLayer(Parameters& parameters, const std::string& name, std::size_t width)
    : query_(parameters, name + ".query", width, width),
      key_(parameters, name + ".key", width, width),
      value_(parameters, name + ".value", width, width),
      output_(parameters, name + ".output", width, width) {}

void AttentionLayer::initialise(Parameters& parameters, std::uint64_t seed) const {
  for (const LinearLayer* layer : {&query_, &key_, &value_, &output_}) {
    layer->initialise(parameters, seed);
  }
}

Tensor AttentionLayer::operator()(Tape& tape, BoundParameters& weights, const Tensor& queries,
                                  const Tensor& keys,
                                  const autodiff::AttentionDropout& dropout) const {
  return autodiff::attention_block(
      tape, queries, keys,
      {query_.weight(weights), query_.bias(weights), key_.weight(weights), key_.bias(weights),
       value_.weight(weights), value_.bias(weights), output_.weight(weights),
       output_.bias(weights)},
      dropout);
}

}  // namespace pulsecast::model
