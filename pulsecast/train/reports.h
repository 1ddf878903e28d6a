// What training tells of itself while it runs.
#pragma once

#include <cstdint>
#include <string>

#include "pulsecast/model/epoch_record.h"

namespace pulsecast::train {

using model::EpochRecord;

// Something that the settings left open.
struct Decision {
  std::string what;   // "period"
  std::string value;  // "24"
  std::string why;    // "the strongest cycle in the autocorrelation of the training rows"
};

// A step whose loss or gradient was not finite: training ended there.
struct Fault {
  std::uint32_t epoch = 0;
  std::uint32_t step = 0;  // of it, the first is 1
  double loss = 0.0;
};

// A candidate of a search, and what became of it.
struct Tried {
  std::string name;        // "PULSE, look-back 336"
  std::int64_t steps = 0;  // of gradients
  double seconds = 0.0;
  double validation_mse = 0.0;
  double share = 0.0;  // in the model
};

struct StepReport {
  std::uint32_t epoch = 0;   // the first is 1
  std::uint32_t epochs = 0;  // at most
  std::uint32_t step = 0;    // done in this epoch
  std::uint32_t steps = 0;   // in an epoch
  double mean_loss = 0.0;    // of this epoch so far
};

}  // namespace pulsecast::train
