// Instance standardisation and the affine maps around it: the parts of RevIN.
//
// Rows are (sample, channel) pairs with the channel running fastest, so row r belongs to channel
// r mod channels.
#pragma once

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

struct Standardised {
  Tensor values;     // (rows, width)
  Tensor mean;       // (rows)
  Tensor deviation;  // (rows), sqrt(unbiased variance + 1e-5)
};

// x (rows, width), width >= 2. Gradients flow through mean and deviation.
Standardised standardise(Tape& tape, const Tensor& x);

// x (rows, width) * deviation (rows) + mean (rows)
Tensor destandardise(Tape& tape, const Tensor& x, const Tensor& mean, const Tensor& deviation);

// x (rows, width) * gamma (channels) + beta (channels)
Tensor affine(Tape& tape, const Tensor& x, const Tensor& gamma, const Tensor& beta);
// (x - beta) / gamma, with the magnitude of gamma held at 1e-6 or more.
Tensor inverse_affine(Tape& tape, const Tensor& x, const Tensor& gamma, const Tensor& beta);

}  // namespace pulsecast::autodiff
