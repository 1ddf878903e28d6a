// The paper beside our runs: OUT/paper.html, .md, .json and .csv, made from what is done so far.
#pragma once

#include <string>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/paper/plan.h"

namespace pulsecast::paper {

struct Report {
  std::string markdown;
  std::string json;
  std::string files;        // "report in OUT/paper.html, ..."
  std::string count;        // "108 of 1092 cells of the paper have a number of ours beside them"
  std::size_t missing = 0;  // runs of the plan that are not done
};

// Trains nothing; costs and mismatches that are not known yet are measured. Throws Error, before
// anything is written where there are runs with other settings (findings.h).
Report write_report(const Plan& plan, ThreadPool& threads, const Watch& watch);

}  // namespace pulsecast::paper
