#include "pulsecast/model/time_encoder.h"

namespace pulsecast::model {

TimeEncoder::TimeEncoder(Parameters& parameters, const std::string& name, const ModelShape& shape,
                         std::size_t steps)
    : steps_(steps),
      kernel_(shape.time_kernel),
      first_(parameters, name + ".first", shape.features, shape.time_width_a),
      first_norm_(parameters, name + ".first_norm", shape.time_width_a),
      second_(parameters, name + ".second", shape.time_width_a, shape.time_width_b),
      second_norm_(parameters, name + ".second_norm", shape.time_width_b),
      conv_weight_(parameters.add(name + ".conv.weight", {steps, steps, kernel_})),
      conv_bias_(parameters.add(name + ".conv.bias", {steps})),
      output_(parameters, name + ".output", shape.time_width_b, shape.channels) {}

void TimeEncoder::initialise(Parameters& parameters, std::uint64_t seed) const {
  first_.initialise(parameters, seed);
  first_norm_.initialise(parameters);
  second_.initialise(parameters, seed);
  second_norm_.initialise(parameters);
  initialise_by_fan_in(parameters, conv_weight_, seed, steps_ * kernel_);
  initialise_by_fan_in(parameters, conv_bias_, seed, steps_ * kernel_);
  output_.initialise(parameters, seed);
}

Tensor TimeEncoder::operator()(Tape& tape, BoundParameters& weights, const Tensor& features,
                               const Tensor& conv) const {
  const Tensor first =
      autodiff::gelu(tape, first_norm_(tape, weights, first_(tape, weights, features)));
  const Tensor second =
      autodiff::gelu(tape, second_norm_(tape, weights, second_(tape, weights, first)));
  const Tensor mixed =
      autodiff::convolution_1d(tape, second, conv, weights[conv_bias_], kernel_ / 2);
  return autodiff::transpose(tape, output_(tape, weights, mixed));
}

}  // namespace pulsecast::model
