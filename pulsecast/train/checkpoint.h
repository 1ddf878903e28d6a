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
#include <map>
#include <optional>
#include <string>

#include "pulsecast/base/watch.h"
#include "pulsecast/store/safetensors.h"
#include "pulsecast/train/training_state.h"

namespace pulsecast::train {

// What stands in the file: one training, or a search of several (search/search_state.h).
enum class CheckpointKind { kTraining, kSearch };

// What every such file says of itself.
std::map<std::string, std::string> checkpoint_metadata(CheckpointKind kind,
                                                       const std::string& fingerprint);
// The file, if it is one of that kind. Throws Error(kModelFile) where it is not, or is damaged.
store::TensorFile read_checkpoint(const std::filesystem::path& path, CheckpointKind kind);
// Throws Error(kUsage) that names the first line of the fingerprint that differs, the learning
// rate's aside. Returns the rate that was saved, where it is another.
std::string require_same_run(const store::TensorFile& file, const std::string& fingerprint,
                             const std::filesystem::path& path);
// Engines of one arithmetic give the same bits. With another the run would end elsewhere than one
// that was never stopped, so it goes on when that is wanted. Throws Error(kUsage) else.
void require_arithmetic(const std::string& engine, const std::string& arithmetic,
                        const std::filesystem::path& path, bool allow_other_cpu,
                        const Watch& watch);
void require_arithmetic(const store::TensorFile& file, const std::filesystem::path& path,
                        bool allow_other_cpu, const Watch& watch);

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
