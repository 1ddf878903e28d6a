// DLinear (Zeng et al., 2023): the trend is a moving average, and trend and rest are each mapped by
// one linear layer, shared by all channels. Both layers begin as the mean of the history.

#include "pulsecast/model/backbone.h"

namespace pulsecast::model {
namespace {

class DLinear : public Backbone {
 public:
  DLinear(Parameters& parameters, const ModelShape& shape)
      : window_(shape.sizes.moving_average),
        mean_(1.0f / static_cast<float>(shape.lookback)),
        seasonal_(parameters, "backbone.seasonal", shape.lookback, shape.horizon),
        trend_(parameters, "backbone.trend", shape.lookback, shape.horizon) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const override {
    for (const LinearLayer* layer : {&seasonal_, &trend_}) {
      layer->initialise(parameters, seed);
      parameters.fill(layer->weight_id(), mean_);
    }
  }

  Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                 const BackboneContext&) const override {
    const Tensor slow = autodiff::moving_average(tape, x, window_);
    const Tensor rest = autodiff::subtract(tape, x, slow);
    return autodiff::add(tape, seasonal_(tape, weights, rest), trend_(tape, weights, slow));
  }

 private:
  std::size_t window_;
  float mean_;
  LinearLayer seasonal_;
  LinearLayer trend_;
};

}  // namespace

std::unique_ptr<Backbone> make_dlinear(Parameters& parameters, const ModelShape& shape) {
  return std::make_unique<DLinear>(parameters, shape);
}

}  // namespace pulsecast::model
