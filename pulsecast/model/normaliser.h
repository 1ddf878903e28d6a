// Residual-only RevIN: the anchor is taken away, what is left is normalised, the anchor comes back.
//
//   R = X - A_x      X~ = (R - mean) / deviation * gamma + beta + A_x
//   Y = ((Y0 - A_y) - beta) / gamma * deviation + mean + A_y
//
// mean and deviation are of each row of R, gamma and beta of each channel. Without an anchor A_x
// and A_y are zero, and this is plain RevIN.
//
// A backbone alone has the normalisation that it was published with: of the history as it is,
// without gamma and beta, and taken back from the forecast in the same way.
#pragma once

#include <optional>

#include "pulsecast/model/layers.h"

namespace pulsecast::model {

// The deviations are sqrt(variance + 1e-5).
enum class Normalisation {
  kAffine,  // mean and unbiased variance, then gamma and beta of each channel: PULSE's
  kNone,
  kMean,
  kPopulation,  // mean and population variance
  kUnbiased,    // mean and unbiased variance
};

// Rows are (sample, channel) pairs, the channel fastest.
struct Normalised {
  std::optional<Tensor> anchor;  // A_x (rows, T)
  Tensor values;                 // X~ (rows, T)
  Tensor mean;                   // (rows)
  Tensor deviation;              // (rows)
};

// X~ of data (rows, T), to which no gradient goes back. Not kAffine.
Normalised normalise_data(Tape& tape, Normalisation kind, const Tensor& data);

class Normaliser {
 public:
  Normaliser(Parameters& parameters, std::size_t channels, Normalisation kind);
  void initialise(Parameters& parameters) const;

  // X~, from a history (rows, T) and its anchor. Only kAffine takes an anchor; to the others the
  // history is data, and no gradient goes back to it.
  Normalised normalise(Tape& tape, BoundParameters& weights, const Tensor& history,
                       const std::optional<Tensor>& anchor) const;
  // forecast Y0 (rows, H), future anchor A_y (rows, H), mean and deviation (rows) -> Y (rows, H)
  Tensor denormalise(Tape& tape, BoundParameters& weights, const Tensor& forecast,
                     const std::optional<Tensor>& anchor, const Tensor& mean,
                     const Tensor& deviation) const;

 private:
  struct Affine {
    ParameterId gamma;
    ParameterId beta;
  };
  autodiff::ChannelAffine bound(BoundParameters& weights) const {
    return {weights[affine_->gamma], weights[affine_->beta]};
  }

  Normalisation kind_;
  std::optional<Affine> affine_;
};

}  // namespace pulsecast::model
