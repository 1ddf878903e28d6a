// What the paper's tables have that no training gives: costs, the mismatch of histories and
// futures, and what MASE divides by.
#pragma once

#include "pulsecast/benchmark/cost.h"
#include "pulsecast/evaluate/mismatch.h"
#include "pulsecast/paper/kept.h"
#include "pulsecast/paper/plan.h"

namespace pulsecast::paper {

class Measuring {
 public:
  Measuring(const Plan& plan, ThreadPool& threads, const Watch& watch);

  // At horizon 96, on the clock of this machine.
  benchmark::Cost cost(const std::string& model, const std::string& dataset);
  // Of the training rows; of ETTm the first 8640, as the paper's.
  Mismatch mismatch(const std::string& dataset, std::int64_t horizon);
  // By how much the scaled rows of test differ from those `lag` steps earlier, channels pooled.
  double lag_difference(const std::string& dataset, std::size_t lag);

 private:
  std::string rows_of(const std::string& dataset);  // a checksum

  const Plan& plan_;
  ThreadPool& threads_;
  const Watch& watch_;
  Kept kept_;
};

}  // namespace pulsecast::paper
