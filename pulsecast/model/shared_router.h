// The router's maps (phase_router.h), multiplied out once for all shards of a batch.
//
// In training the shards of a lane gather their gradients with the lane, as they do for weights;
// backward() adds the lanes up in their order and goes back to the weights once.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "pulsecast/autodiff/lanes.h"
#include "pulsecast/model/phase_router.h"

namespace pulsecast::model {

class SharedRouter {
 public:
  // `router` outlives it.
  SharedRouter(const PhaseRouter& router, Tape::Mode mode) : router_(router), mode_(mode) {}

  // Multiplies out the weights as they are; in training it is they that backward() goes back to.
  void forward(BoundParameters& weights);
  // For the shards of one lane.
  RouterMaps maps(std::size_t lane);
  // Once all shards have gone back.
  void backward();

  // What multiplying out cost, in floating-point operations, and bytes held.
  std::size_t spent() const { return tape_ ? tape_->spent() : 0; }
  std::size_t memory() const;

 private:
  // What a lane's shards gathered for one map.
  struct Gathered {
    std::vector<float> gradient;
    autodiff::GradientSlot slot;
  };
  using Lane = std::array<Gathered, RouterMaps::kCount>;

  const PhaseRouter& router_;
  Tape::Mode mode_;
  Arena arena_;
  std::optional<Tape> tape_;
  RouterMaps folded_;
  std::array<Lane, autodiff::kLanes> lanes_;
};

}  // namespace pulsecast::model
