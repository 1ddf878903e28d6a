// Batch normalisation over all rows of a tensor.
//
// In training the statistics are those of the rows at hand, so these must be the whole batch; in
// inference they are running means, kept with the weights, and a row is on its own.
#pragma once

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

struct BatchNormalised {
  Tensor values;    // as x
  Tensor mean;      // (width), and
  Tensor variance;  // (width) of the population: for running means, without a gradient
};

// x (..., width), gamma and beta (width)
BatchNormalised batch_norm(Tape& tape, const Tensor& x, const Tensor& gamma, const Tensor& beta);
// The same by given statistics (width), in inference: it notes no way back.
Tensor batch_norm_frozen(Tape& tape, const Tensor& x, const Tensor& gamma, const Tensor& beta,
                         const Tensor& mean, const Tensor& variance);

}  // namespace pulsecast::autodiff
