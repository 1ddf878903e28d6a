#include "pulsecast/model/mix.h"

#include <cassert>

namespace pulsecast::model {

using namespace autodiff;

Normalised mix_windows(Tape& tape, BoundParameters& weights, const Normaliser& normaliser,
                       const Window& first, const Window& second, Mixup mixup, float weight) {
  assert(mixup != Mixup::kNone);
  if (mixup == Mixup::kPlain) {
    // The residual of what is mixed is what is mixed of the residuals.
    std::optional<Tensor> anchor;
    if (first.anchor) anchor = mix(tape, *first.anchor, *second.anchor, weight);
    return normaliser.normalise(tape, weights, mix(tape, first.history, second.history, weight),
                                anchor);
  }
  const Normalised one = normaliser.normalise(tape, weights, first.history, first.anchor);
  const Normalised other = normaliser.normalise(tape, weights, second.history, second.anchor);
  return {first.anchor, mix(tape, one.values, other.values, weight),
          mix(tape, one.mean, other.mean, weight),
          mix(tape, one.deviation, other.deviation, weight)};
}

}  // namespace pulsecast::model
