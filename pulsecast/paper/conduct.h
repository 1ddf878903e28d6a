// The runs of a plan, done one after the other: it may be stopped at any time and goes on.
//
// Records, checkpoints and errors of every window are those of a study (benchmark/runner.h) in the
// folder OUT; what is beside them is written before a run's record, so that no kill loses it.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "pulsecast/benchmark/runner.h"
#include "pulsecast/paper/plan.h"

namespace pulsecast::paper {

struct Remaining {
  std::size_t found = 0;  // runs with a record
  std::size_t runs = 0;   // without
  double seconds = 0.0;   // that those are thought to take, by the pace of those that are done
};
Remaining remaining(const Plan& plan);

// Takes over what other studies have done with exactly the same settings; of those that are
// pictured such whose anchors were looked at, as a folder of a paper has them. How many it were.
// Throws Error where a folder has no records, or rows are others than those of the files that are
// here.
std::size_t take_over(const Plan& plan, const std::vector<std::filesystem::path>& studies,
                      ThreadPool& threads, const Watch& watch = {});

struct Hooks {
  benchmark::StudyHooks study;
  // When a run begins: how many there are still to do, it included, and seconds that they take.
  std::function<void(const Remaining&)> on_left = {};
};

benchmark::StudyResult conduct(const Plan& plan, const Hooks& hooks, ThreadPool& threads);

}  // namespace pulsecast::paper
