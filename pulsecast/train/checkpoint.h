// Training on disk, so that a kill at any moment loses no more than the steps since the last save.
//
// One safetensors file, written beside and renamed. It holds the training state and a fingerprint:
// lines of "name: value" for everything that the rest of the run depends on (settings, data, the
// weights' layout). A resumed run must have the same fingerprint, or it would not end with the bits
// of one that was never stopped. The type of CPU is kept too: on another one training goes on, but
// not to the same bits.
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
  std::string cpu;  // that it was written on
};

// Throws Error(kModelFile): what is wrong with the file, and how to start over.
[[noreturn]] void refuse_checkpoint(const std::filesystem::path& path, const std::string& reason);

// None where there is no such file. Refuses a damaged one as above, and throws Error(kUsage) that
// names the first line of the fingerprint that differs.
std::optional<Checkpoint> load_checkpoint(const std::filesystem::path& path,
                                          const std::string& fingerprint);

}  // namespace pulsecast::train
