// A batch seen by a model that looks back less far: the newest steps of every history.
#pragma once

#include "pulsecast/base/arena.h"
#include "pulsecast/batch/batch.h"

namespace pulsecast::model {

class NewestSteps {
 public:
  // The batch with the last `lookback` steps of its histories and of their calendars; futures,
  // samples and the keys of calendars are its own. Good until the next call; allocates nothing once
  // batches of that size have been seen. Calendars that differ only before those steps stay apart,
  // which costs an encoding more and changes no value.
  const Batch& of(const Batch& batch, std::size_t lookback);

  std::size_t memory() const { return arena_.capacity(); }

 private:
  Arena arena_;
  Batch cut_;
};

}  // namespace pulsecast::model
