// The paper's own backbone: Linear T -> hidden, GELU, Linear hidden -> H, shared by all channels.

#include "pulsecast/model/backbone.h"

namespace pulsecast::model {
namespace {

class Mlp : public Backbone {
 public:
  Mlp(Parameters& parameters, const ModelShape& shape)
      : first_(parameters, "backbone.first", shape.lookback, shape.hidden),
        second_(parameters, "backbone.second", shape.hidden, shape.horizon) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const override {
    first_.initialise(parameters, seed);
    second_.initialise(parameters, seed);
  }

  Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                 const BackboneContext&) const override {
    return second_(tape, weights, first_.with_gelu(tape, weights, x));
  }

 private:
  LinearLayer first_;
  LinearLayer second_;
};

}  // namespace

std::unique_ptr<Backbone> make_mlp(Parameters& parameters, const ModelShape& shape) {
  return std::make_unique<Mlp>(parameters, shape);
}

}  // namespace pulsecast::model
