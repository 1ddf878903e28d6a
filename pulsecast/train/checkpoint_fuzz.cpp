// Any bytes as a checkpoint: a state whose parts fit together, or an Error. Checkpoints of version
// 1 have no checksums, so that damage gets past those.

#include "pulsecast/train/checkpoint.h"

#include <cstdint>
#include <cstdlib>

#include "pulsecast/base/error.h"
#include "pulsecast/testing/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pulsecast;
  const testing::MemoryFile file(data, size);
  try {
    const auto checkpoint = train::load_checkpoint(file.path(), "seed: 1\n");
    if (!checkpoint) std::abort();
    const train::TrainingState& state = checkpoint->state;
    const bool fits = state.history.size() + 1 == state.epoch && state.best_epoch < state.epoch &&
                      state.moment1.size() == state.weights.size() &&
                      state.moment2.size() == state.weights.size();
    if (!fits) std::abort();
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
