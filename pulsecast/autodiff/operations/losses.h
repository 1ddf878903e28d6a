// Losses: one value each.
//
// `weight` multiplies the sum over all values. For a mean over a whole batch of which a shard holds
// a part, it is one over the count of the batch; the shards' losses then add up to the mean.
#pragma once

#include <span>

#include "pulsecast/autodiff/tape.h"
#include "pulsecast/kernels/spectrum/fft.h"

namespace pulsecast::autodiff {

// y and target of one shape; the target gets no gradient.
Tensor squared_error(Tape& tape, const Tensor& y, const Tensor& target, float weight);
Tensor absolute_error(Tape& tape, const Tensor& y, const Tensor& target, float weight);

// weight * the pinball loss of y (rows, quantiles) for a target (rows) that gets no gradient;
// `probabilities` (quantiles) outlive the call.
Tensor quantile_error(Tape& tape, const Tensor& y, const Tensor& target,
                      std::span<const float> probabilities, float weight);

// weight * sum over rows and all n bins of |FFT(y - target)|, y and target (rows, n); the modulus
// has gradient 0 at 0. `fft` is the plan for n and must outlive the tape.
Tensor spectral_error(Tape& tape, const Tensor& y, const Tensor& target,
                      const kernels::RealFft& fft, float weight);

}  // namespace pulsecast::autodiff
