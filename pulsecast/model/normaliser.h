// Residual-only RevIN: the anchor is taken away, what is left is normalised, the anchor comes back.
//
//   R = X - A_x      X~ = (R - mean) / deviation * gamma + beta + A_x
//   Y = ((Y0 - A_y) - beta) / gamma * deviation + mean + A_y
//
// mean and deviation are of each row of R, gamma and beta of each channel. Without an anchor A_x
// and A_y are zero, and this is plain RevIN.
#pragma once

#include <optional>

#include "pulsecast/model/layers.h"

namespace pulsecast::model {

// Rows are (sample, channel) pairs, the channel fastest.
struct Normalised {
  std::optional<Tensor> anchor;  // A_x (rows, T)
  Tensor values;                 // X~ (rows, T)
  Tensor mean;                   // (rows)
  Tensor deviation;              // (rows)
};

class Normaliser {
 public:
  Normaliser(Parameters& parameters, std::size_t channels);
  void initialise(Parameters& parameters) const;

  // R = X - A_x, of history (rows, T) and its anchor.
  static Tensor residual(Tape& tape, const Tensor& history, const std::optional<Tensor>& anchor);
  // X~, from a residual (rows, T) and the anchor to add.
  Normalised normalise(Tape& tape, BoundParameters& weights, const Tensor& residual,
                       const std::optional<Tensor>& anchor) const;
  // forecast Y0 (rows, H), future anchor A_y (rows, H), mean and deviation (rows) -> Y (rows, H)
  Tensor denormalise(Tape& tape, BoundParameters& weights, const Tensor& forecast,
                     const std::optional<Tensor>& anchor, const Tensor& mean,
                     const Tensor& deviation) const;

 private:
  ParameterId gamma_;
  ParameterId beta_;
};

}  // namespace pulsecast::model
