// Verbs that train a study: `benchmark`, `sweep` and `paper`.
#pragma once

#include "apps/cli/console.h"
#include "apps/cli/terminal/progress.h"
#include "pulsecast/benchmark/report.h"
#include "pulsecast/benchmark/runner.h"

namespace pulsecast::cli {

// Does what is still to be done, with progress on the terminal. Throws Error(kTraining) where
// nothing could be trained.
void run_shown(const benchmark::Study& study, const Console& console);

// What is said of each run as it goes; `progress` outlives it.
benchmark::StudyHooks study_hooks(Progress& progress, const Watch& watch, const Console& console);

// A study's own, and the flags of the verbs that read one.
const Words& study_verb_words();

// Prints it; the exit code says whether runs are missing.
int print_report(const benchmark::Report& report, const Console& console);

}  // namespace pulsecast::cli
