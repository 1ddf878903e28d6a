// What forecasts the normalised history: the part of PULSE that can be any forecaster.
//
// A backbone declares its weights, says how they begin, and maps rows of history to rows of future.
// Rows are (sample, channel) pairs with the channel running fastest, so one that lets channels look
// at each other finds them side by side; a pass always has whole samples. What else it may look at
// is in backbone_context.h.
//
// To add one: copy backbones/mlp.cpp, give the kind a name in settings/model_settings.h and a line
// in make_backbone().
#pragma once

#include <memory>

#include "pulsecast/model/backbone_context.h"
#include "pulsecast/model/layers.h"
#include "pulsecast/model/model_shape.h"

namespace pulsecast::model {

class Backbone {
 public:
  virtual ~Backbone() = default;
  virtual void initialise(Parameters& parameters, std::uint64_t seed) const = 0;
  // x (samples * C, T) -> (samples * C, H)
  virtual Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                         const BackboneContext& context) const = 0;
};

// Declares the weights of the shape's backbone, under "backbone.".
std::unique_ptr<Backbone> make_backbone(Parameters& parameters, const ModelShape& shape);

// One a file in backbones/.
std::unique_ptr<Backbone> make_mlp(Parameters& parameters, const ModelShape& shape);

}  // namespace pulsecast::model
