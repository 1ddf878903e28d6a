// Our numbers for the paper's cells, from the records of runs.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "pulsecast/benchmark/mean_spread.h"
#include "pulsecast/benchmark/run_record.h"
#include "pulsecast/paper/measured.h"
#include "pulsecast/paper/numbers.h"
#include "pulsecast/paper/plan.h"

namespace pulsecast::paper {

// Over seeds; of a cell that is a mean over horizons, of each seed's mean.
struct Ours {
  std::size_t seeds = 0;  // 0: there is nothing yet
  benchmark::MeanSpread mse = {};
  benchmark::MeanSpread mae = {};

  explicit operator bool() const { return seeds > 0; }
};

// Throws Error(kUsage) where a run that the plan's parts show was done with other settings than are
// planned, such as a trial of few epochs: beside the paper's number would stand that of another
// experiment.
void require_planned_settings(const Plan& plan, const std::vector<benchmark::RunRecord>& records);

class Findings {
 public:
  // Of the plan's folder; `plan` outlives it. Throws as require_planned_settings.
  explicit Findings(const Plan& plan);
  Findings(const Findings&) = delete;  // there are pointers to its records
  Findings& operator=(const Findings&) = delete;

  // Of one training, or of several together: seeds that all of them have.
  Ours of(const std::vector<Want>& wants) const;
  Ours of(const Cell& cell) const;
  // Of two trainings, over the seeds that both have.
  std::pair<Ours, Ours> on_same_seeds(const Want& a, const Want& b) const;
  // Of the seed with the smallest number; null where there is none.
  const benchmark::RunRecord* record_of(const Want& want) const;
  std::size_t runs() const { return records_.size(); }
  const std::vector<benchmark::RunRecord>& records() const { return records_; }

 private:
  using Seeds = std::map<std::int64_t, const benchmark::RunRecord*>;
  const Seeds* seeds_of(const Want& want) const;

  const Plan& plan_;
  std::vector<benchmark::RunRecord> records_;
  std::map<benchmark::RunKey, Seeds> by_run_;  // under seed 0
};

// The lag of MASE in a table: 1, or 96 at look-back 720.
std::size_t mase_lag(const Cell& cell);

// How many of the paper's cells have ours beside them.
struct Count {
  std::size_t cells = 0;
  std::size_t filled = 0;
  std::size_t without_data = 0;  // of the others those whose file is not there

  Count& operator+=(const Count& other);
};
Count count_of(const Part& part, const Plan& plan, const Findings& findings, Measuring& measuring);

}  // namespace pulsecast::paper
