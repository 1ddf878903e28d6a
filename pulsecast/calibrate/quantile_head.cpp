#include "pulsecast/calibrate/quantile_head.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pulsecast::calibrate {
namespace {

using autodiff::BoundParameters;
using autodiff::Parameters;
using autodiff::Tape;
using autodiff::Tensor;

constexpr float kFarthest = 6.0f;  // no input is larger: what lies farther out says no more

float bounded(float value) { return std::clamp(value, -kFarthest, kFarthest); }

// How restless a look-back is beside the usual one; 0 where that never moved.
float log_ratio(float value, double usual) {
  if (!(usual > 0.0)) return 0.0f;
  return bounded(static_cast<float>(std::log(std::max(double{value}, 1e-3 * usual) / usual)));
}

// One hidden layer, whose bias is the channel's.
Tensor perceptron(Tape& tape, const Tensor& x, const Tensor& input, const Tensor& channel_bias,
                  const Tensor& output, const Tensor& output_bias) {
  const Tensor hidden = linear_gelu(tape, x, input, channel_bias);
  return linear(tape, hidden, output, output_bias);
}

}  // namespace

QuantileHead::QuantileHead(std::size_t channels, std::size_t horizon, std::size_t period)
    : channels_(channels),
      input_(parameters_.add("head.input", {kHidden, kInputs})),
      channel_bias_(parameters_.add("head.channels", {channels, kHidden})),
      output_(parameters_.add("head.output", {kGrid, kHidden})),
      output_bias_(parameters_.add("head.bias", {kGrid})) {
  for (std::size_t h = 0; h < horizon; ++h) {
    const double share = static_cast<double>(h + 1) / static_cast<double>(horizon);
    steps_.push_back(static_cast<float>(2.0 * std::sqrt(share) - 1.0));
  }
  for (std::size_t phase = 0; phase < period; ++phase) {
    const double turn =
        2.0 * std::numbers::pi * static_cast<double>(phase) / static_cast<double>(period);
    for (const double angle : {turn, 2.0 * turn}) {
      phases_.push_back(static_cast<float>(std::sin(angle)));
      phases_.push_back(static_cast<float>(std::cos(angle)));
    }
  }
}

void QuantileHead::initialise(std::uint64_t seed) {
  const auto inputs = 1.0f / std::sqrt(static_cast<float>(kInputs));
  const auto hidden = 1.0f / std::sqrt(static_cast<float>(kHidden));
  parameters_.fill_uniform(input_, seed, -inputs, inputs);
  parameters_.fill_uniform(channel_bias_, seed, -inputs, inputs);
  parameters_.fill_uniform(output_, seed, -0.1f * hidden, 0.1f * hidden);
}

Tensor QuantileHead::forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                             std::span<const std::uint32_t> channel) const {
  const Tensor bias = select_rows(tape, weights[channel_bias_], channel);
  return perceptron(tape, x, weights[input_], bias.reshaped({kHidden}), weights[output_],
                    weights[output_bias_]);
}

void QuantileHead::read(const LocalScale& scale, const Outlook& window, std::size_t first,
                        std::span<float> out) const {
  const LookBack& look = window.look;
  const float restless = log_ratio(look.deviation, scale.usual_deviation());
  const float recent = log_ratio(look.recent, scale.usual_recent());
  const float spread = std::max(look.deviation, static_cast<float>(scale.least_deviation));
  const float unit = spread > 0.0f ? 1.0f / spread : 1.0f;
  const float last = window.cycle.back();
  for (std::size_t i = 0; i < out.size() / kInputs; ++i) {
    const std::size_t h = first + i;
    const float said = window.forecast[h];
    const float* const wave = phases_.data() + static_cast<std::size_t>(window.phases[h]) * kWaves;
    float* const x = out.data() + i * kInputs;
    x[0] = restless;
    x[1] = recent;
    x[2] = steps_[h];
    x[3] = bounded(said);
    x[4] = bounded((said - look.mean) * unit);
    x[5] = bounded((said - last) * unit);
    x[6] = bounded((said - window.cycle[h % window.cycle.size()]) * unit);
    x[7] = bounded((said - (h == 0 ? last : window.forecast[h - 1])) * unit);
    std::copy_n(wave, kWaves, x + 8);
  }
}

HeadReader::HeadReader(const QuantileHead& head, const RangeRequest& request) : head_(head) {
  const Parameters& parameters = head.parameters();
  const auto values = [&](autodiff::ParameterId id) {
    const Parameters::View& view = parameters.view(id);
    return parameters.weights().subspan(view.offset, view.shape.count());
  };
  const auto rows = values(head.output_);
  const auto biases = values(head.output_bias_);
  for (std::size_t p = 0; p < request.size(); ++p) {
    const GridPlace place = request.place(p);
    const std::size_t next = place.share > 0.0 ? place.first + 1 : place.first;
    const auto between = [&](float a, float b) {
      return a + static_cast<float>(place.share) * (b - a);
    };
    for (std::size_t i = 0; i < QuantileHead::kHidden; ++i) {
      output_.push_back(between(rows[place.first * QuantileHead::kHidden + i],
                                rows[next * QuantileHead::kHidden + i]));
    }
    output_bias_.push_back(between(biases[place.first], biases[next]));
  }
}

HeadReader::HeadReader(const QuantileHead& head)
    : HeadReader(head, RangeRequest({}, kProbabilities)) {}

std::span<const float> HeadReader::shifts(std::size_t channel, const LocalScale& scale,
                                          const Outlook& window, std::size_t first,
                                          std::size_t steps) {
  arena_->reset();
  const auto inputs = arena_->allocate<float>(steps * QuantileHead::kInputs);
  head_.read(scale, window, first, inputs);
  Tape tape(*arena_, Tape::Mode::kInference);
  const Parameters& parameters = head_.parameters();
  const auto constant = [&](autodiff::ParameterId id) {
    const Parameters::View& view = parameters.view(id);
    return tape.constant(parameters.weights().data() + view.offset, view.shape);
  };
  const float* const bias = constant(head_.channel_bias_).data + channel * QuantileHead::kHidden;
  const std::size_t P = output_bias_.size();
  const Tensor said =
      perceptron(tape, tape.constant(inputs.data(), {steps, QuantileHead::kInputs}),
                 constant(head_.input_), tape.constant(bias, {QuantileHead::kHidden}),
                 tape.constant(output_.data(), {P, QuantileHead::kHidden}),
                 tape.constant(output_bias_.data(), {P}));
  return {said.data, said.count()};
}

}  // namespace pulsecast::calibrate
