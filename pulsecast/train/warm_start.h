// Training that begins where another model ended: its weights, as far as they fit.
//
// A weight fits where it has the same name and the same sizes, but that it may have another number
// of channels: those that both models have keep their rows, a new one begins at the mean of all. A
// weight that does not fit begins as it would have.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pulsecast/model/pulse.h"

namespace pulsecast::train {

struct WarmStart {
  std::size_t kept = 0;                   // weights that were taken over, of
  std::size_t all = 0;                    // so many
  std::vector<std::string> new_channels;  // that begin at the mean of the others
  std::vector<std::string> anew;          // names of weights that did not fit
};

// `pulse` is initialised; names of the targets of both, in their order. A companion is found after
// training, and is not taken over.
WarmStart warm_start(const model::Pulse& old, std::span<const std::string> old_channels,
                     model::Pulse& pulse, std::span<const std::string> channels);

}  // namespace pulsecast::train
