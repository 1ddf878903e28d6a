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
  initialise(parameters, seed, in_);
}

void LinearLayer::initialise(Parameters& parameters, std::uint64_t seed, std::size_t fan_in) const {
  initialise_by_fan_in(parameters, weight_, seed, fan_in);
  initialise_by_fan_in(parameters, bias_, seed, fan_in);
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

BatchNormLayer::BatchNormLayer(Parameters& parameters, const std::string& name, std::size_t width)
    : weight_(parameters.add(name + ".weight", {width})),
      bias_(parameters.add(name + ".bias", {width})),
      running_mean_(parameters.add_buffer(name + ".running_mean", {width})),
      running_variance_(parameters.add_buffer(name + ".running_var", {width})) {}

void BatchNormLayer::initialise(Parameters& parameters) const {
  parameters.fill(weight_, 1.0f);
  parameters.fill(bias_, 0.0f);
  parameters.fill(running_mean_, 0.0f);
  parameters.fill(running_variance_, 1.0f);
}

Tensor BatchNormLayer::operator()(Tape& tape, BoundParameters& weights, const Tensor& x,
                                  bool is_training) const {
  const Tensor mean = weights[running_mean_];
  const Tensor variance = weights[running_variance_];
  if (!is_training) {
    return autodiff::batch_norm_frozen(tape, x, weights[weight_], weights[bias_], mean, variance);
  }
  constexpr float kNew = 0.1f;
  const auto batch = autodiff::batch_norm(tape, x, weights[weight_], weights[bias_]);
  const auto rows = static_cast<float>(x.shape.rows());
  const float unbiased = rows > 1.0f ? rows / (rows - 1.0f) : 1.0f;
  for (std::size_t j = 0; j < mean.count(); ++j) {
    mean.data[j] += kNew * (batch.mean.data[j] - mean.data[j]);
    variance.data[j] += kNew * (batch.variance.data[j] * unbiased - variance.data[j]);
  }
  return batch.values;
}

AttentionLayers::AttentionLayers(Parameters& parameters, const std::string& name, std::size_t width)
    : query(parameters, name + ".query", width, width),
      key(parameters, name + ".key", width, width),
      value(parameters, name + ".value", width, width),
      output(parameters, name + ".output", width, width) {}

void AttentionLayers::initialise(Parameters& parameters, std::uint64_t seed) const {
  for (const LinearLayer* layer : {&query, &key, &value, &output}) {
    layer->initialise(parameters, seed);
  }
}

}  // namespace pulsecast::model
