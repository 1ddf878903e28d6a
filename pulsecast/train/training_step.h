// Loss and gradient of one batch.
//
// The batch is cut into shards of whole samples, each run forward and backward by one worker; what
// repeats (time encodings, products of weights) is computed before and taken back after. See
// autodiff/lanes.h for why the bits are the same on any number of threads.
//
// Channels of a sample that are missing have no part in the loss, and neither has a mix of two of
// which one is: the mean is over what is there, and the gradient of the rest is zero to the bit.
#pragma once

#include <optional>

#include "pulsecast/autodiff/lanes.h"
#include "pulsecast/kernels/spectrum/fft.h"
#include "pulsecast/model/batch_rows.h"
#include "pulsecast/model/encodings.h"
#include "pulsecast/model/pulse.h"
#include "pulsecast/model/shared_router.h"
#include "pulsecast/settings/training_settings.h"
#include "pulsecast/train/mixup_draws.h"

namespace pulsecast::train {

class TrainingStep {
 public:
  // `pulse` and `pool` outlive it.
  TrainingStep(model::Pulse& pulse, ThreadPool& pool, LossKind loss, Mixup mixup);

  // The mean loss of the batch; gradients() is its gradient. `dropout` names the draws of this
  // step. The draw is not read without mixup. Allocates nothing once shapes have been seen.
  double run(const Batch& batch, const MixupDraw& draw, const random::Stream& dropout);

  std::span<float> gradients() { return lanes_.gradients(); }
  // How a batch of so many samples is cut: its lanes may run at once.
  model::BatchCut cut_of(std::size_t samples) const;
  // Bytes held: gradients, arenas and encodings.
  std::size_t memory() const;

 private:
  autodiff::Tensor shard(model::SampleRange range, const Batch& batch, const MixupDraw& draw,
                         const random::Stream& dropout, autodiff::Tape& tape,
                         autodiff::BoundParameters& weights);
  // Whether a channel of a sample is there, and of its partner where they are mixed.
  bool is_present(const Batch& batch, const MixupDraw& draw, std::size_t sample,
                  std::size_t channel) const;
  std::size_t count_present(const Batch& batch, const MixupDraw& draw) const;
  autodiff::Tensor loss_of(autodiff::Tape& tape, const autodiff::Tensor& y,
                           const autodiff::Tensor& target, float weight) const;
  // (count * C, H): the targets of the samples, mixed where the samples are.
  autodiff::Tensor target_of(model::SampleRange range, const Batch& batch, const MixupDraw& draw,
                             autodiff::Tape& tape) const;

  model::Pulse& pulse_;
  ThreadPool& pool_;
  LossKind loss_;
  Mixup mixup_;
  kernels::RealFft fft_;
  std::size_t present_rows_ = 0;  // channels of samples of the batch at hand that are there
  autodiff::Lanes lanes_;
  std::optional<model::Encodings> encodings_;
  std::optional<model::SharedRouter> router_;
};

}  // namespace pulsecast::train
