#include "pulsecast/calibrate/quantile_head.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pulsecast/kernels/products/perceptron.h"

namespace pulsecast::calibrate {
namespace {

using autodiff::BoundParameters;
using autodiff::Parameters;
using autodiff::Tape;
using autodiff::Tensor;

constexpr float kFarthest = 6.0f;  // no input is larger: what lies farther out says no more

float bounded(float value) { return std::min(std::max(value, -kFarthest), kFarthest); }

// How restless a look-back is beside the usual one; 0 where that never moved.
float log_ratio(float value, double usual) {
  if (!(usual > 0.0)) return 0.0f;
  return bounded(static_cast<float>(std::log(std::max(double{value}, 1e-3 * usual) / usual)));
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
  const Tensor hidden = linear_gelu(tape, x, weights[input_], bias.reshaped({kHidden}));
  return linear(tape, hidden, weights[output_], weights[output_bias_]);
}

void QuantileHead::read(const LocalScale& scale, const Outlook& window, std::size_t first,
                        std::size_t steps, Layout layout, float* out) const {
  const LookBack& look = window.look;
  const float restless = log_ratio(look.deviation, scale.usual_deviation());
  const float recent = log_ratio(look.recent, scale.usual_recent());
  const float spread = std::max(look.deviation, static_cast<float>(scale.least_deviation));
  const float unit = spread > 0.0f ? 1.0f / spread : 1.0f;
  const float last = window.cycle.back();
  const float* const said = window.forecast.data();
  const float* const cycle = window.cycle.data();
  const std::size_t recent_steps = window.cycle.size();
  // A number of all steps from `begin` on, in a loop that vectors do where they are columns.
  const auto fill = [&](std::size_t k, std::size_t begin, std::size_t end, auto value_of) {
    float* const x = out + k * layout.of_input;
    if (layout.of_step == 1) {
      for (std::size_t i = begin; i < end; ++i) x[i] = value_of(first + i);
    } else {
      for (std::size_t i = begin; i < end; ++i) x[i * layout.of_step] = value_of(first + i);
    }
  };
  fill(0, 0, steps, [&](std::size_t) { return restless; });
  fill(1, 0, steps, [&](std::size_t) { return recent; });
  fill(2, 0, steps, [&](std::size_t h) { return steps_[h]; });
  fill(3, 0, steps, [&](std::size_t h) { return bounded(said[h]); });
  fill(4, 0, steps, [&](std::size_t h) { return bounded((said[h] - look.mean) * unit); });
  fill(5, 0, steps, [&](std::size_t h) { return bounded((said[h] - last) * unit); });
  for (std::size_t begin = 0; begin < steps;) {
    const std::size_t in_cycle = (first + begin) % recent_steps;
    const std::size_t end = std::min(steps, begin + recent_steps - in_cycle);
    const std::size_t start = first + begin - in_cycle;
    fill(6, begin, end,
         [&](std::size_t h) { return bounded((said[h] - cycle[h - start]) * unit); });
    begin = end;
  }
  const std::size_t from = first == 0 ? 1 : 0;
  if (from == 1) fill(7, 0, 1, [&](std::size_t h) { return bounded((said[h] - last) * unit); });
  fill(7, from, steps, [&](std::size_t h) { return bounded((said[h] - said[h - 1]) * unit); });
  for (std::size_t i = 0; i < steps; ++i) {
    const float* const wave =
        phases_.data() + static_cast<std::size_t>(window.phases[first + i]) * kWaves;
    for (std::size_t k = 0; k < kWaves; ++k) {
      out[i * layout.of_step + (8 + k) * layout.of_input] = wave[k];
    }
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
  const Parameters& parameters = head_.parameters();
  const auto values = [&](autodiff::ParameterId id) {
    return parameters.weights().data() + parameters.view(id).offset;
  };
  const std::size_t P = output_bias_.size();
  inputs_.resize(QuantileHead::kInputs * steps);
  said_.resize(P * steps);
  head_.read(scale, window, first, steps, {1, steps}, inputs_.data());
  kernels::perceptron(
      {steps, QuantileHead::kInputs, QuantileHead::kHidden, P},
      {values(head_.input_), values(head_.channel_bias_) + channel * QuantileHead::kHidden,
       output_.data(), output_bias_.data()},
      inputs_.data(), said_.data());
  return said_;
}

}  // namespace pulsecast::calibrate
