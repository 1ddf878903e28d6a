// What a trained PULSE holds of a dataset: spectra of history, future and anchor, and windows laid
// out by their likeness. Made when the training is over and kept in OUT/inside/, since the weights
// are not.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/base/watch.h"
#include "pulsecast/benchmark/scoring.h"
#include "pulsecast/benchmark/study.h"
#include "pulsecast/model/ensemble.h"
#include "pulsecast/report/spectrum.h"

namespace pulsecast::paper {

struct AnchorView {
  struct NamedSpectrum {
    std::string name;
    report::Spectrum spectrum;
  };
  struct Map {
    std::string name;
    std::vector<float> x;  // (windows)
    std::vector<float> y;
  };
  std::vector<NamedSpectrum> spectra;
  std::vector<Map> maps;
  std::vector<std::string> groups;    // times of day at which windows end
  std::vector<std::size_t> group_of;  // (windows)
};

std::filesystem::path anchor_file(const std::filesystem::path& out, const benchmark::RunKey& key);

AnchorView look_at_anchors(const benchmark::TestRows& rows, const model::Ensemble& trained,
                           ThreadPool& threads, const Watch& watch);

void write_anchors(const std::filesystem::path& file, const AnchorView& view);
// None where there is no such file, or not a whole one.
std::optional<AnchorView> read_anchors(const std::filesystem::path& file);

}  // namespace pulsecast::paper
