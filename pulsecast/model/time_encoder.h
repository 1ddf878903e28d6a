// What the calendar alone says of a stretch of steps, per channel.
//
// Linear, layer norm, GELU; the same again; then a convolution along the features in which the time
// steps are the channels, so that every step sees every other; then a linear layer to the channels.
// There is one encoder for histories and one for futures, and they share nothing.
//
// Nothing but the calendar goes in, so stretches with the same calendar have the same encoding:
// callers encode the distinct ones (encodings.h). The convolution is quadratic in the steps.
#pragma once

#include "pulsecast/model/layers.h"
#include "pulsecast/model/model_shape.h"

namespace pulsecast::model {

class TimeEncoder {
 public:
  TimeEncoder(Parameters& parameters, const std::string& name, const ModelShape& shape,
              std::size_t steps);
  void initialise(Parameters& parameters, std::uint64_t seed) const;

  // features (n, used, F), conv (steps, used, kernel) -> (n, C, steps). As the encoder is written,
  // every step is used and conv is its own weight; where features repeat after `used` steps, conv
  // is that weight folded (calendar_fold.h).
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& features,
                    const Tensor& conv) const;

  std::size_t steps() const { return steps_; }
  std::size_t kernel() const { return kernel_; }
  ParameterId conv_weight() const { return conv_weight_; }

 private:
  std::size_t steps_;
  std::size_t kernel_;
  LinearLayer first_;
  LayerNormLayer first_norm_;
  LinearLayer second_;
  LayerNormLayer second_norm_;
  ParameterId conv_weight_;  // (steps, steps, kernel)
  ParameterId conv_bias_;    // (steps)
  LinearLayer output_;
};

}  // namespace pulsecast::model
