// A linear map from look-back to horizon for each channel, of what a cycle of W levels a channel
// leaves: the cycle is taken from the history by the phase of each step and comes back by the
// phases of the future. The cycle begins as zeros. Where there are columns of the past, the newest
// steps of them join what a channel's map reads.
//
// Alone, with the mean taken off, it has a closed form (train/channel_ridge.h), in which the map of
// a channel is drawn towards the one that all would share.

#include <algorithm>
#include <optional>

#include "pulsecast/model/backbone.h"

namespace pulsecast::model {
namespace {

class ChannelLinear : public Backbone {
 public:
  ChannelLinear(Parameters& parameters, const ModelShape& shape)
      : lookback_(shape.lookback),
        horizon_(shape.horizon),
        channels_(shape.channels),
        past_inputs_(shape.past * shape.past_steps()),
        past_steps_(shape.past_steps()),
        past_normalisation_(past_normalisation(shape)),
        cycle_(parameters.add("backbone.cycle", {shape.period, shape.channels})),
        maps_(parameters.add("backbone.maps", {shape.channels, shape.lookback, shape.horizon})),
        constants_(parameters.add("backbone.constants", {shape.channels, shape.horizon})) {
    if (past_inputs_ == 0) return;
    past_ = parameters.add("backbone.past", {shape.channels, past_inputs_, shape.horizon});
  }

  void initialise(Parameters& parameters, std::uint64_t seed) const override {
    parameters.fill(cycle_, 0.0f);
    initialise_by_fan_in(parameters, maps_, seed, lookback_);
    initialise_by_fan_in(parameters, constants_, seed, lookback_);
    if (past_) initialise_by_fan_in(parameters, *past_, seed, lookback_ + past_inputs_);
  }

  Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                 const BackboneContext& context) const override {
    const std::size_t samples = context.samples.size();
    const Tensor past = autodiff::gather_columns(tape, weights[cycle_],
                                                 context.history_phases(tape), samples, lookback_);
    const Tensor rest = autodiff::subtract(tape, x, past.reshaped(x.shape));
    const Tensor apart =
        autodiff::swap_middle(tape, rest.reshaped({1, samples, channels_, lookback_}));
    Tensor mapped =
        autodiff::matmul(tape, apart.reshaped({channels_, samples, lookback_}), weights[maps_]);
    if (past_) {
      const Tensor seen = autodiff::matmul(tape, newest_past(tape, context), weights[*past_]);
      mapped = autodiff::add(tape, mapped, seen);
    }
    const Tensor together =
        autodiff::swap_middle(tape, mapped.reshaped({1, channels_, samples, horizon_}));
    const Tensor y = autodiff::add_to_rows(tape, together.reshaped({samples, channels_, horizon_}),
                                           weights[constants_]);
    const Tensor future = autodiff::gather_columns(tape, weights[cycle_],
                                                   context.future_phases(tape), samples, horizon_);
    return autodiff::add(tape, y, future.reshaped(y.shape))
        .reshaped({samples * channels_, horizon_});
  }

 private:
  // (C, samples, P * steps): the same for every channel.
  Tensor newest_past(Tape& tape, const BackboneContext& context) const {
    const std::size_t samples = context.samples.size();
    const Tensor rows = context.past_rows(tape, past_normalisation_);
    float* const first = tape.floats(channels_ * samples * past_inputs_);
    float* to = first;
    for (std::size_t row = 0; row < rows.shape[0] * rows.shape[1]; ++row) {
      to = std::copy_n(rows.data + (row + 1) * lookback_ - past_steps_, past_steps_, to);
    }
    for (std::size_t c = 1; c < channels_; ++c) {
      to = std::copy_n(first, samples * past_inputs_, to);
    }
    return tape.constant(first, {channels_, samples, past_inputs_});
  }

  std::size_t lookback_;
  std::size_t horizon_;
  std::size_t channels_;
  std::size_t past_inputs_;
  std::size_t past_steps_;  // of each column
  Normalisation past_normalisation_;
  ParameterId cycle_;
  ParameterId maps_;
  ParameterId constants_;
  std::optional<ParameterId> past_;
};

}  // namespace

std::unique_ptr<Backbone> make_channel_linear(Parameters& parameters, const ModelShape& shape) {
  return std::make_unique<ChannelLinear>(parameters, shape);
}

}  // namespace pulsecast::model
