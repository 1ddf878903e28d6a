// The error of a model over every window of a set.
#pragma once

#include <vector>

#include "pulsecast/data/windows/window_order.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/model/inference.h"
#include "pulsecast/train/batcher.h"

namespace pulsecast::train {

class Validation {
 public:
  // `pulse`, `windows` and `pool` outlive it.
  Validation(model::Pulse& pulse, const Windows& windows, std::size_t batch, ThreadPool& pool);

  // Means over every window, step and channel, on scaled data.
  struct Errors {
    double squared = 0.0;
    double absolute = 0.0;
  };
  Errors measure();

  std::size_t memory() const { return batcher_.memory() + arena_.capacity(); }

 private:
  const Windows& windows_;
  ThreadPool& pool_;
  WindowOrder order_;
  Batcher batcher_;
  model::Inference inference_;
  Arena arena_;
  Forecast forecast_;
  std::vector<Errors> sums_;  // one a sample, added in their order
  std::size_t values_;
};

}  // namespace pulsecast::train
