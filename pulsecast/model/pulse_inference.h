// Forecasts of batches with one model, on many threads. See inference.h for models that forecast
// together.
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

// What forecasts are made of, as far as there is memory for it; see Pulse::Components.
struct ForecastParts {
  std::span<float> anchor;     // (B, C, H)
  std::span<float> mean;       // (B, C)
  std::span<float> deviation;  // (B, C)
  // 0 of a model that has none.
  std::span<float> routed = {};       // (B, C, H)
  std::span<float> past_anchor = {};  // (B, C, T)
};

class PulseInference {
 public:
  // `pulse` and `pool` outlive it; the weights may change between calls, unless encodings are kept.
  // Any number of these may forecast with one model at once.
  PulseInference(const Pulse& pulse, ThreadPool& pool);

  // Fills `forecast`, which must have the batch's samples. Targets are not read. Allocates nothing
  // once batches of the same shape have been seen.
  void forecast(const Batch& batch, Forecast& forecast);

  // From here on packed weights and the router's maps are kept, and time encodings by the keys of
  // their calendars (batch.h), all below the numbers given: see Inference::Keeping. What was kept
  // before is forgotten.
  void keep(std::size_t history_keys, std::size_t future_keys);
  void forget();

  void forecast(const Batch& batch, Forecast& forecast, const ForecastParts& out);

  const Pulse& pulse() const { return pulse_; }

  // What the last batch cost: floating-point operations as Tape::spent counts them, and bytes held
  // beside the weights.
  std::size_t spent() const;
  std::size_t memory() const;

 private:
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
