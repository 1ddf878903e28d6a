// Two windows become one.
//
// Statistic-aware: both are normalised by their own statistics, and the normalised values, the
// means and the deviations are mixed with one weight, so that scale is not averaged away. Plain:
// the residuals are mixed first and normalised together.
#pragma once

#include "pulsecast/model/normaliser.h"
#include "pulsecast/settings/training_settings.h"

namespace pulsecast::model {

struct Window {
  Tensor history;                // (rows, T)
  std::optional<Tensor> anchor;  // (rows, T)
};

// weight * first + (1 - weight) * second, in the sense of `mixup` (not kNone). The result's anchor
// is the one that was added to its values.
Normalised mix_windows(Tape& tape, BoundParameters& weights, const Normaliser& normaliser,
                       const Window& first, const Window& second, Mixup mixup, float weight);

}  // namespace pulsecast::model
