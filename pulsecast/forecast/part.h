// Which rows are scored.
#pragma once

namespace pulsecast {

enum class Part {
  kHeldOut,     // the test rows recorded in the model, or the rows after all that it has seen
  kValidation,  // rows that chose the best epoch
  kTraining,    // rows that the weights have seen
  kAll,
};

}  // namespace pulsecast
