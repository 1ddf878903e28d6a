// What an epoch of training came to: kept with the model that came of it.
#pragma once

#include <cstdint>

namespace pulsecast::model {

struct EpochRecord {
  std::uint32_t epoch = 0;  // the first is 1
  double learning_rate = 0.0;
  double training_loss = 0.0;   // mean over the epoch's steps
  double validation_mse = 0.0;  // over all validation windows; NaN without validation
  double seconds = 0.0;         // training and validation

  friend bool operator==(const EpochRecord&, const EpochRecord&) = default;
};

}  // namespace pulsecast::model
