// The time encodings of a batch: one a distinct calendar, not one a sample.
//
// The encoders see nothing but the calendar, so windows that share one share its encoding, and its
// gradient is the sum of theirs. A training step therefore has three parts, each cut into lanes:
//
//   encodings.begin(batch)
//   forward(lane) ...      the distinct calendars of the lane, on a tape that is kept
//   (the shards read history(sample) and future(sample), and leave their gradients in
//    history_gradient(use) and future_gradient(sample))
//   backward(lane) ...     gradients summed in the order of uses, then back through the tape
//
// A mixed sample reads two histories, so histories have uses: sample b is use b, and its partner is
// use B + b. Columns known in advance join the calendar features; then hardly two windows are
// alike, and every sample has an encoding of its own.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pulsecast/autodiff/lanes.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/model/pulse.h"

namespace pulsecast::model {

class Encodings {
 public:
  // `pulse` has an anchor and outlives the encodings.
  Encodings(const Pulse& pulse, Tape::Mode mode);

  // Takes the calendars of a batch, which must outlive the step. `partners` (B) says which sample
  // each is mixed with; empty without mixup.
  void begin(const Batch& batch, std::span<const std::uint32_t> partners = {});
  void forward(std::size_t lane, BoundParameters& weights);
  void backward(std::size_t lane);

  // (C, T) and (C, H) of a sample.
  const float* history(std::size_t sample) const { return history_.of_sample(sample); }
  const float* future(std::size_t sample) const { return future_.of_sample(sample); }
  // Where the gradient of a use goes: (C, T) and (C, H), those of consecutive uses side by side.
  float* history_gradient(std::size_t use) { return history_.gradient(use); }
  float* future_gradient(std::size_t sample) { return future_.gradient(sample); }

  std::size_t memory() const;

 private:
  // Histories or futures.
  class Side {
   public:
    using Encode = Tensor (Pulse::*)(Tape&, BoundParameters&, const Tensor&) const;

    Side(const Pulse& pulse, Encode encode, std::size_t steps);
    void begin(const Calendars& calendars, std::span<const float> known, std::size_t samples,
               std::span<const std::uint32_t> partners, bool is_training);
    void forward(std::size_t lane, Arena& arena, Tape::Mode mode, BoundParameters& weights);
    void backward(std::size_t lane, Arena& arena);

    const float* of_sample(std::size_t sample) const { return outputs_[of_use_[sample]]; }
    // Null in inference.
    float* gradient(std::size_t use) {
      return gradients_.empty() ? nullptr : gradients_.data() + use * size_;
    }
    std::size_t memory() const;

   private:
    void join_known(const Calendars& calendars, std::span<const float> known, std::size_t samples);

    const Pulse& pulse_;
    Encode encode_;
    std::size_t steps_;
    std::size_t size_;  // C * steps
    std::size_t distinct_ = 0;
    const float* features_ = nullptr;    // (distinct, steps, F)
    std::vector<float> joined_;          // the same with known columns, where there are any
    std::vector<std::uint32_t> of_use_;  // which encoding a use reads
    std::vector<const float*> outputs_;  // (distinct)
    std::vector<float> gradients_;       // (uses, C, steps)
    std::array<std::optional<Tape>, autodiff::kLanes> tapes_;
    std::array<Tensor, autodiff::kLanes> results_;
  };

  Tape::Mode mode_;
  Side history_;
  Side future_;
  std::array<Arena, autodiff::kLanes> arenas_;
};

}  // namespace pulsecast::model
