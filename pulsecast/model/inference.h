// Forecasts of batches, on many threads.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "pulsecast/autodiff/packed_weights.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/model/encodings.h"
#include "pulsecast/model/pulse.h"
#include "pulsecast/model/shared_router.h"

namespace pulsecast::model {

class Inference {
 public:
  // `pulse` and `pool` outlive it; the weights may change between calls, unless encodings are kept.
  // Any number of these may forecast with one model at once.
  Inference(const Pulse& pulse, ThreadPool& pool);

  // Fills `forecast`, which must have the batch's samples. Targets are not read. Allocates nothing
  // once batches of the same shape have been seen.
  void forecast(const Batch& batch, Forecast& forecast);

  // For as long as one of these is there, packed weights and the router's maps are kept, and time
  // encodings by the keys of their calendars (batch.h), all below the numbers given: for batches
  // between which the weights stand still and keys mean the same. What was kept before is
  // forgotten.
  class [[nodiscard]] Keeping {
   public:
    Keeping(Inference& inference, std::size_t history_keys, std::size_t future_keys)
        : inference_(inference) {
      inference_.keep(history_keys, future_keys);
      inference_.weights_stand_still_ = true;
    }
    ~Keeping() {
      inference_.keep(0, 0);
      inference_.weights_stand_still_ = false;
    }
    Keeping(const Keeping&) = delete;
    Keeping& operator=(const Keeping&) = delete;

   private:
    Inference& inference_;
  };

  // What the forecasts are made of; see Pulse::Components.
  struct Parts {
    std::span<float> anchor;     // (B, C, H)
    std::span<float> mean;       // (B, C)
    std::span<float> deviation;  // (B, C)
  };
  void forecast(const Batch& batch, Forecast& forecast, const Parts& out);

  // What the last batch cost: floating-point operations as Tape::spent counts them, and bytes held
  // beside the weights.
  std::size_t spent() const;
  std::size_t memory() const;

 private:
  void keep(std::size_t history_keys, std::size_t future_keys);
  void encode();
  void prepare_weights();
  template <typename Store>
  void run(const Batch& batch, Store&& store);

  const Pulse& pulse_;
  ThreadPool& pool_;
  BoundParameters weights_;
  autodiff::PackedWeights packed_;
  std::optional<Encodings> encodings_;
  std::optional<SharedRouter> router_;
  bool weights_stand_still_ = false;
  bool are_prepared_ = false;                   // weights that stand still
  std::vector<std::unique_ptr<Arena>> arenas_;  // one per worker
  std::vector<std::size_t> spent_;              // of the shards, one per worker
};

}  // namespace pulsecast::model
