// CycleNet (Lin et al., 2024), the linear variant: a learned cycle of W levels a channel is taken
// from the history by the phase of each step, one linear layer shared by all channels forecasts
// what is left, and the cycle comes back by the phases of the future. The cycle begins as zeros.

#include "pulsecast/model/backbone.h"

namespace pulsecast::model {
namespace {

class CycleNet : public Backbone {
 public:
  CycleNet(Parameters& parameters, const ModelShape& shape)
      : lookback_(shape.lookback),
        horizon_(shape.horizon),
        cycle_(parameters.add("backbone.cycle", {shape.period, shape.channels})),
        linear_(parameters, "backbone.linear", shape.lookback, shape.horizon) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const override {
    parameters.fill(cycle_, 0.0f);
    linear_.initialise(parameters, seed);
  }

  Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                 const BackboneContext& context) const override {
    const std::size_t samples = context.samples.size();
    const Tensor past = autodiff::gather_columns(tape, weights[cycle_],
                                                 context.history_phases(tape), samples, lookback_);
    const Tensor rest = autodiff::subtract(tape, x, past.reshaped(x.shape));
    const Tensor future = autodiff::gather_columns(tape, weights[cycle_],
                                                   context.future_phases(tape), samples, horizon_);
    const Tensor y = linear_(tape, weights, rest);
    return autodiff::add(tape, y, future.reshaped(y.shape));
  }

 private:
  std::size_t lookback_;
  std::size_t horizon_;
  ParameterId cycle_;
  LinearLayer linear_;
};

}  // namespace

std::unique_ptr<Backbone> make_cyclenet(Parameters& parameters, const ModelShape& shape) {
  return std::make_unique<CycleNet>(parameters, shape);
}

}  // namespace pulsecast::model
