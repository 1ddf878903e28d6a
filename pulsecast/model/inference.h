// Forecasts of batches, on many threads.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/model/encodings.h"
#include "pulsecast/model/pulse.h"
#include "pulsecast/model/shared_router.h"

namespace pulsecast::model {

class Inference {
 public:
  // `pulse` and `pool` outlive it; the weights may change between calls.
  Inference(Pulse& pulse, ThreadPool& pool);

  // Fills `forecast`, which must have the batch's samples. Targets are not read. Allocates nothing
  // once batches of the same shape have been seen.
  void forecast(const Batch& batch, Forecast& forecast);

  // From now on, the router's maps are kept, and time encodings by the keys of their calendars
  // (batch.h), all below these: for a pass over many batches of one set of windows while the
  // weights stand still. What was kept before is forgotten; zeros end it.
  void keep_encodings(std::size_t history_keys, std::size_t future_keys) {
    if (encodings_) encodings_->keep(history_keys, future_keys);
    weights_stand_still_ = history_keys + future_keys > 0;
    is_folded_ = false;
  }

  // What the forecasts are made of; see Pulse::Components.
  struct Components {
    std::span<float> anchor;     // (B, C, H)
    std::span<float> mean;       // (B, C)
    std::span<float> deviation;  // (B, C)
  };
  void forecast(const Batch& batch, Forecast& forecast, const Components& components);

  // What the last batch cost: floating-point operations as Tape::spent counts them, and bytes held
  // beside the weights.
  std::size_t spent() const;
  std::size_t memory() const;

 private:
  void encode();
  void fold_router();
  template <typename Store>
  void run(const Batch& batch, Store&& store);

  Pulse& pulse_;
  ThreadPool& pool_;
  BoundParameters weights_;
  std::optional<Encodings> encodings_;
  std::optional<SharedRouter> router_;
  bool weights_stand_still_ = false;
  bool is_folded_ = false;                      // the router, with weights that stand still
  std::vector<std::unique_ptr<Arena>> arenas_;  // one per worker
  std::vector<std::size_t> spent_;              // of the shards, one per worker
};

}  // namespace pulsecast::model
