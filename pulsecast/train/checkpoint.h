// Training on disk, so that a kill at any moment loses no more than the steps since the last save.
//
// One safetensors file, written beside and renamed. It holds the training state and a fingerprint:
// lines of "name: value" for everything that the rest of the run depends on (settings, data, the
// weights' layout). A resumed run must have the same fingerprint, or it would not end with the bits
// of one that was never stopped; but for the learning rate, which whoever goes on after a fault
// makes smaller. The engine that computes and its arithmetic are kept too: with another arithmetic
// training goes on when it is told to, but not to the same bits. Every part has a checksum
// (store/checksums.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "pulsecast/train/training_state.h"

namespace pulsecast::train {

void save_checkpoint(const std::filesystem::path& path, const TrainingState& state,
                     const std::string& fingerprint);

struct Checkpoint {
  TrainingState state;
  std::string engine;         // that computed it, see kernels/engine.h; empty before version 2
  std::string arithmetic;     // of that engine; empty where an engine before this one wrote it
  std::string learning_rate;  // as its fingerprint says it, where that is not this run's
};

// Throws Error(kModelFile): what is wrong with the file, and how to start over.
[[noreturn]] void refuse_checkpoint(const std::filesystem::path& path, const std::string& reason);

// Whether there is one at `path`, of a run with that fingerprint. Refuses a damaged one as above.
bool is_checkpoint_of(const std::filesystem::path& path, const std::string& fingerprint);

// None where there is no such file. Refuses a damaged one as above, and throws Error(kUsage) that
// names the first line of the fingerprint that differs, the learning rate's aside.
std::optional<Checkpoint> load_checkpoint(const std::filesystem::path& path,
                                          const std::string& fingerprint);

}  // namespace pulsecast::train
