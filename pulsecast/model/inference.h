// Forecasts of batches, on many threads: with one model, or with several that have a share each
// (ensemble.h).
#pragma once

#include <memory>
#include <vector>

#include "pulsecast/base/arena.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/model/ensemble.h"
#include "pulsecast/model/newest_steps.h"
#include "pulsecast/model/pulse_inference.h"

namespace pulsecast::model {

class Inference {
 public:
  using Parts = ForecastParts;

  // What is forecast with and `pool` outlive it; the weights may change between calls, unless
  // encodings are kept. Any number of these may forecast with one model at once.
  Inference(const Pulse& pulse, ThreadPool& pool);
  Inference(const Ensemble& ensemble, ThreadPool& pool);

  // Fills `forecast`, which must have the batch's samples. Targets are not read. Allocates nothing
  // once batches of the same shape have been seen.
  void forecast(const Batch& batch, Forecast& forecast);
  // Of several models the parts are means by shares too. `routed` and `past_anchor` are of one
  // model, and 0 where there are several: whoever wants them asks the lead.
  void forecast(const Batch& batch, Forecast& forecast, const Parts& out);

  // For as long as one of these is there, packed weights and the router's maps are kept, and time
  // encodings by the keys of their calendars (batch.h), all below the numbers given: for batches
  // between which the weights stand still and keys mean the same. What was kept before is
  // forgotten.
  class [[nodiscard]] Keeping {
   public:
    Keeping(Inference& inference, std::size_t history_keys, std::size_t future_keys);
    ~Keeping();
    Keeping(const Keeping&) = delete;
    Keeping& operator=(const Keeping&) = delete;

   private:
    Inference& inference_;
  };

  // What the last batch cost: floating-point operations as Tape::spent counts them, and bytes held
  // beside the weights.
  std::size_t spent() const;
  std::size_t memory() const;

 private:
  struct Seat {
    Seat(const Pulse& pulse, float part, ThreadPool& pool) : own(pulse, pool), share(part) {}

    PulseInference own;
    float share;
    NewestSteps newest;
  };

  bool is_one() const { return seats_.size() == 1; }
  // The batch as a seat reads it.
  static const Batch& seen_by(Seat& seat, const Batch& batch);
  // Memory of the size of `values` for what one of several says.
  std::span<float> scratch_like(std::span<const float> values);

  std::vector<std::unique_ptr<Seat>> seats_;
  Arena scratch_;
};

}  // namespace pulsecast::model
