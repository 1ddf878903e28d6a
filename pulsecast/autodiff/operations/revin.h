// Reversible normalisation around an anchor (kernels/normalise/revin.h), and its way back.
//
// Rows are (sample, channel) pairs with the channel running fastest, so row r belongs to channel
// r mod channels. An anchor without data is none.
#pragma once

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

struct ChannelAffine {
  Tensor gamma;  // (channels)
  Tensor beta;   // (channels)
};

struct Revin {
  Tensor values;     // (rows, width)
  Tensor mean;       // (rows)
  Tensor deviation;  // (rows), sqrt(unbiased variance + 1e-5)
};

// x (rows, width) and its anchor, width >= 2: the residual x - anchor to mean 0 and deviation 1 by
// its own statistics, times gamma, plus beta, plus the anchor. Gradients flow through mean and
// deviation.
Revin revin(Tape& tape, const Tensor& x, const Tensor& anchor, const ChannelAffine& affine);

// (x - anchor - beta) / gamma * deviation (rows) + mean (rows) + anchor, with the magnitude of
// gamma held at 1e-6 or more.
Tensor revin_back(Tape& tape, const Tensor& x, const Tensor& anchor, const ChannelAffine& affine,
                  const Tensor& mean, const Tensor& deviation);

// x (rows, width) * factor (rows) + shift (rows)
Tensor scale_rows(Tape& tape, const Tensor& x, const Tensor& factor, const Tensor& shift);

}  // namespace pulsecast::autodiff
