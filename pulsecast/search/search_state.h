// A search on disk, so that a kill at any moment loses no more than the steps since the last save.
//
// One safetensors file, written beside and renamed, where the checkpoint of a training would be
// (train/checkpoint.h): where the search stands, and every trial with its weights, moments and
// means. What a trial misses by is not kept: its best weights tell it again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/search/trial.h"

namespace pulsecast::search {

enum class Phase { kClosedForms, kFirstSlices, kSecondSlices, kLastSlices, kDone };

struct SearchState {
  Phase phase = Phase::kClosedForms;
  std::vector<std::size_t> going;  // trials that have slices in this phase
  std::size_t next = 0;            // of those, whose slice is not over
  std::int64_t steps = 0;          // of slices that are over
  double seconds = 0.0;            // in all, so far

  struct Standing {
    std::size_t candidate = 0;  // number of it
    std::int64_t seed = 0;
    TrialState state;
  };
  std::vector<Standing> trials;
};

void save_search(const std::filesystem::path& path, const SearchState& state,
                 const std::string& fingerprint);

// None where there is no such file. `candidates` is how many there are. Throws as
// train::load_checkpoint does for a file that is damaged, of another run, or of an engine whose
// last bits differ.
std::optional<SearchState> load_search(const std::filesystem::path& path,
                                       const std::string& fingerprint, std::size_t candidates,
                                       bool allow_other_cpu, const Watch& watch);

}  // namespace pulsecast::search
