// The time encodings of a batch: one per distinct calendar, not one per sample.
//
// The encoders see nothing but the calendar, so windows that share one share its encoding, and its
// gradient is the sum of theirs. A training step therefore goes through these parts:
//
//   encodings.begin(batch, partners)
//   encodings.fold(pool)               weights of steps that are equal, summed (calendar_fold.h)
//   encodings.forward(lane, weights)   for each of lanes(), on tapes that are kept
//   (the shards read history(sample) and future(sample), and leave their gradients in
//    history_gradient(use) and future_gradient(sample))
//   encodings.backward(lane)           gradients summed in the order of uses, then back
//   encodings.unfold(gradients, pool)  once the lanes' gradients are added up
//
// A mixed sample reads two histories, so histories have uses: sample b is use b, and its partner is
// use B + b. Columns known in advance join the calendar features; then hardly two windows are
// alike, and every sample has an encoding of its own.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "pulsecast/autodiff/sum_tree.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/model/encoding_side.h"
#include "pulsecast/model/pulse.h"

namespace pulsecast::model {

class Encodings {
 public:
  // `pulse` has an anchor and outlives the encodings.
  Encodings(const Pulse& pulse, Tape::Mode mode);

  // Takes the calendars of a batch, which must outlive the step. `partners` (B) says which sample
  // each is mixed with; empty without mixup.
  void begin(const Batch& batch, std::span<const std::uint32_t> partners = {});
  // In inference: see Inference::Keeping.
  void keep(std::size_t history_keys, std::size_t future_keys);
  // Distinct calendars that are to be encoded, of both sides.
  std::size_t pending() const { return history_.pending() + future_.pending(); }
  // Into which the encoding of the batch is cut, both sides alike.
  std::size_t lanes() const { return lanes_; }
  void fold(ThreadPool& pool);
  void forward(std::size_t lane, BoundParameters& weights);
  void backward(std::size_t lane);
  // gradients: of all parameters, flat.
  void unfold(std::span<float> gradients, ThreadPool& pool);

  // (C, T) and (C, H) of a sample.
  const float* history(std::size_t sample) const { return history_.of_sample(sample); }
  const float* future(std::size_t sample) const { return future_.of_sample(sample); }
  // Where the gradient of a use goes: (C, T) and (C, H), those of consecutive uses side by side.
  // Null in inference.
  float* history_gradient(std::size_t use) { return history_.gradient(use); }
  float* future_gradient(std::size_t sample) { return future_.gradient(sample); }

  std::size_t memory() const;
  std::size_t spent() const { return history_.spent() + future_.spent(); }

 private:
  std::size_t conv_offset(const TimeEncoder& encoder) const {
    return pulse_.parameters().view(encoder.conv_weight()).offset;
  }

  const Pulse& pulse_;
  EncodingSide history_;
  EncodingSide future_;
  std::size_t lanes_ = 0;
  std::array<Arena, autodiff::kMostLanes> arenas_;  // one per lane
};

}  // namespace pulsecast::model
