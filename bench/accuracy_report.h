// The runs of bench_accuracy as Markdown: a table a variant beside the paper, then what the
// variants say about each other (ablations, defaults, codebook orders) and our runs beside the
// PyTorch twin's.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/accuracy_runs.h"

namespace pulsecast::bench {

struct VariantText {
  std::string name;
  std::string meaning;
};

struct ReportInputs {
  std::vector<VariantText> variants;  // in the order of their tables
  std::vector<TrainedRun> runs;       // of any variant, "twin" among them
  // MSE of repeating the last day, by dataset and horizon; empty where no data were at hand.
  std::map<std::pair<std::string, int>, double> seasonal_naive_mse;
};

// Sections for which there is no run are left out.
std::string report_text(const ReportInputs& inputs);

}  // namespace pulsecast::bench
