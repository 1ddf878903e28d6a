// What candidates are compared on: each forecasts the same windows of validation, and what it
// misses by is kept, so that blends of them can be had without forecasting again.
#pragma once

#include <vector>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/windows/batcher.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/model/pulse.h"

namespace pulsecast::search {

class Judge {
 public:
  // Windows that look back as far as any candidate, so that all have the same ones; they and `pool`
  // outlive it.
  Judge(const Windows& windows, std::size_t batch, ThreadPool& pool);

  // Fills `residuals` (windows, C, H) with forecast less truth, 0 where a channel is missing.
  // Returns the mean square of those that are there; not finite where a forecast is not.
  double measure(const model::Pulse& pulse, std::vector<float>& residuals);

 private:
  const Windows& windows_;
  ThreadPool& pool_;
  std::size_t batch_;
  Batcher batcher_;
};

}  // namespace pulsecast::search
