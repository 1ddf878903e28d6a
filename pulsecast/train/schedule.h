// The learning rate of each epoch.
//
// `reference` is what the paper's authors ran: the constructor of a scheduler that they never step
// leaves the first epoch at a twenty-fifth of the rate and beta1 at 0.95. Then the rate itself up
// to the fourth epoch, and 0.8 of the last one in every epoch after. `plain` leaves out both
// traces: it is what SparseTSF and CycleNet were published with. `halving` is the usual schedule of
// the Transformers: the rate for two epochs, and half of the last one in every epoch after.
// `gentle` is what PatchTST's authors ran: the rate for three epochs, and 0.9 of the last one in
// every epoch after.
#pragma once

#include <cstdint>

#include "pulsecast/kernels/pointwise/adam.h"
#include "pulsecast/settings/training_settings.h"

namespace pulsecast::train {

// Adam's settings in an epoch; the first is 1.
kernels::AdamSettings adam_of_epoch(ScheduleKind schedule, double learning_rate,
                                    std::uint32_t epoch);

}  // namespace pulsecast::train
