// The router's maps (phase_router.h), multiplied out once for all shards of a batch.
//
// In training the shards of a lane gather the maps' gradients with the lane's, as they do for
// weights (BoundParameters::shared); lanes are added up, and backward() goes back to the weights
// once.
#pragma once

#include <array>
#include <optional>

#include "pulsecast/model/phase_router.h"

namespace pulsecast::model {

class SharedRouter {
 public:
  // `router` outlives it.
  SharedRouter(const PhaseRouter& router, Tape::Mode mode) : router_(router), mode_(mode) {}

  // Multiplies out the weights as they are; in training it is they that backward() goes back to.
  void forward(BoundParameters& weights);
  // In inference.
  const RouterMaps& maps() const { return folded_; }
  // In training, for the shards of the lane that has these weights. The maps are the shared values
  // of the lane's layout.
  RouterMaps maps(BoundParameters& weights) const;
  // Floats of each map.
  static std::array<std::size_t, RouterMaps::kCount> sizes(const PhaseRouter& router,
                                                           Parameters& parameters);
  // Once all shards have gone back: what they gathered for each map, null where that is nothing.
  void backward(const std::array<float*, RouterMaps::kCount>& gathered);

  // What multiplying out cost, in floating-point operations, and bytes held.
  std::size_t spent() const { return tape_ ? tape_->spent() : 0; }
  std::size_t memory() const { return arena_.capacity(); }

 private:
  const PhaseRouter& router_;
  Tape::Mode mode_;
  Arena arena_;
  std::optional<Tape> tape_;
  RouterMaps folded_;
};

}  // namespace pulsecast::model
