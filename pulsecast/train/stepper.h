// One step of training after the other: windows gathered, loss and gradient, Adam.
//
// A step is a pure function of the weights, the moments, the epoch and its number in it: whoever
// trains decides how many there are, at which rate, and what is kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/windows/batcher.h"
#include "pulsecast/data/windows/window_order.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/kernels/pointwise/adam.h"
#include "pulsecast/model/pulse.h"
#include "pulsecast/train/mixup_draws.h"
#include "pulsecast/train/regimen.h"
#include "pulsecast/train/training_step.h"

namespace pulsecast::train {

class Stepper {
 public:
  // `pulse`, `training` and `pool` outlive it. epoch_steps: at most so many an epoch; 0: as many as
  // there are windows for.
  Stepper(model::Pulse& pulse, const Windows& training, const Regimen& regimen, std::size_t batch,
          std::size_t epoch_steps, ThreadPool& pool);

  // The windows of an epoch come shuffled, so the first of them are as good as any.
  std::size_t steps_of_epoch() const;
  // The order of its windows; before its first step, and before the first after a pause.
  void begin_epoch(std::uint32_t epoch) { order_.shuffle(seed_, epoch); }

  struct Outcome {
    double loss = 0.0;
    bool is_finite = true;  // else the weights are as they were
  };
  // Step `index` of an epoch, the `adam_step`-th of all; the moments are Adam's, one a weight.
  Outcome run(std::uint32_t epoch, std::uint32_t index, const kernels::AdamSettings& adam,
              std::int64_t adam_step, std::span<float> moment1, std::span<float> moment2);

  std::size_t batch() const { return batch_; }
  std::size_t memory() const { return batcher_.memory() + step_.memory(); }
  // Parts of a step that threads may run at once.
  std::size_t lanes() const { return step_.cut_of(batch_).lanes(); }

 private:
  model::Pulse& pulse_;
  ThreadPool& pool_;
  std::uint64_t seed_;
  std::size_t batch_;
  std::size_t epoch_steps_;
  WindowOrder order_;
  Batcher batcher_;
  MixupDraws draws_;
  TrainingStep step_;
};

}  // namespace pulsecast::train
