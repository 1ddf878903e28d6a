// docs/results/what_helps_when.md from finished runs of bench_accuracy: by how much each part of
// PULSE lowers the error, beside the mismatch of the file.
#pragma once

#include <functional>
#include <string>

#include "bench/accuracy_runs.h"
#include "pulsecast/evaluate/mismatch.h"

namespace pulsecast::bench {

using MeasureMismatch = std::function<Mismatch(std::string_view dataset, int horizon)>;

// Markdown.
std::string helps_page(const Runs& runs, const MeasureMismatch& measure);

}  // namespace pulsecast::bench
