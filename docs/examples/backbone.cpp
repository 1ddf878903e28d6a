// A linear layer of the history, shared by all channels, and for each channel a linear map of the
// calendar of every step to come.
#include "pulsecast/model/backbone.h"

namespace pulsecast::model {
namespace {

class CalendarLinear : public Backbone {
 public:
  CalendarLinear(Parameters& parameters, const ModelShape& shape)
      : features_(shape.features),
        history_(parameters, "backbone.history", shape.lookback, shape.horizon),
        calendar_(parameters.add("backbone.calendar", {shape.channels, shape.features, 1})) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const override {
    history_.initialise(parameters, seed);
    initialise_by_fan_in(parameters, calendar_, seed, features_);
  }

  Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                 const BackboneContext& context) const override {
    const Tensor past = history_(tape, weights, x);   // (samples * C, H)
    const Tensor marks = context.future_marks(tape);  // (samples, F, H)
    const Tensor future =
        autodiff::convolution_1d(tape, marks, weights[calendar_], 0);  // (samples, C, H)
    return autodiff::add(tape, past, future.reshaped(past.shape));
  }

 private:
  std::size_t features_;
  LinearLayer history_;
  ParameterId calendar_;
};

}  // namespace

std::unique_ptr<Backbone> make_calendar_linear(Parameters& parameters, const ModelShape& shape) {
  return std::make_unique<CalendarLinear>(parameters, shape);
}

}  // namespace pulsecast::model
