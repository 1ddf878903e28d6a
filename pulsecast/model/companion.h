// A linear map beside the model, which has a share in its forecast.
//
//   Y = (1 - s) PULSE(X) + s (W (X - mean) + b + mean)
//
// The two err differently: the map sees the whole look-back alike, PULSE what comes round. Weights
// and share are not learnt with the model's, but found when it is trained (train/companion.h);
// until then the share is zero, and the forecast is the model's own.
#pragma once

#include "pulsecast/model/layers.h"
#include "pulsecast/model/model_shape.h"

namespace pulsecast::model {

class Companion {
 public:
  Companion(Parameters& parameters, const ModelShape& shape);

  // `linear` (H, T), then (H): the weights of the linear backbone alone.
  void put(Parameters& parameters, std::span<const float> linear) const;
  void set_share(Parameters& parameters, float share) const;

  // history (rows, T), forecast (rows, H) of the model -> (rows, H). Without gradients.
  Tensor join(Tape& tape, BoundParameters& weights, const Tensor& history,
              const Tensor& forecast) const;

 private:
  ParameterId weight_;  // (H, T)
  ParameterId bias_;    // (H)
  ParameterId share_;   // (1)
};

}  // namespace pulsecast::model
