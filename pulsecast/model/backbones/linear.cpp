// One linear map from look-back to horizon, shared by all channels.
//
// Alone, with the mean taken off, it has a closed form (train/ridge.h), and with a long look-back
// it is what every larger model has to beat.

#include "pulsecast/model/backbone.h"

namespace pulsecast::model {
namespace {

class Linear : public Backbone {
 public:
  Linear(Parameters& parameters, const ModelShape& shape)
      : map_(parameters, "backbone.linear", shape.lookback, shape.horizon) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const override {
    map_.initialise(parameters, seed);
  }

  Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                 const BackboneContext&) const override {
    return map_(tape, weights, x);
  }

 private:
  LinearLayer map_;
};

}  // namespace

std::unique_ptr<Backbone> make_linear(Parameters& parameters, const ModelShape& shape) {
  return std::make_unique<Linear>(parameters, shape);
}

}  // namespace pulsecast::model
