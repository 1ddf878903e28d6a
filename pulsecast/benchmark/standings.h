// What the records of a study say when they are put side by side.
//
// Rows are a dataset's horizons and their mean; columns the models of the study and the programs
// whose forecasts were scored. Means and spreads are over seeds. A mean over horizons is given only
// where every horizon is there: a model must not look better for the horizons that it lacks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/benchmark/mean_spread.h"
#include "pulsecast/benchmark/run_record.h"
#include "pulsecast/benchmark/study.h"
#include "pulsecast/metrics/diebold_mariano.h"

namespace pulsecast::benchmark {

// One contender on one dataset and horizon.
struct Standing {
  std::size_t seeds = 0;  // 0: there is nothing yet
  MeanSpread mse = {};
  MeanSpread mae = {};
  std::vector<LagMase> mase = {};  // means; empty where a run has others, or none
  std::size_t mse_rank = 0;        // 1 is best; 0 where there is nothing
  std::size_t mae_rank = 0;
  std::size_t weights = 0;
  std::size_t flops = 0;
};

struct StandingsRow {
  std::string dataset;
  std::int64_t horizon = 0;                   // 0: the mean of all
  std::size_t windows = 0;                    // of test
  std::vector<Standing> standings = {};       // one per column
  std::vector<BaselineScore> baselines = {};  // the same for every contender
};

// A model with PULSE, or its frame, around a backbone against that backbone as published.
struct Comparison {
  std::string model;
  std::string original;
  std::string dataset;
  std::int64_t horizon = 0;
  std::size_t seeds = 0;       // that both have
  double mse_promotion = 0.0;  // per cent by which the original's error is lowered
  double mae_promotion = 0.0;
  // Of the mean losses over those seeds; none where windows are too few or not the same.
  std::optional<DieboldMariano> squared;
  std::optional<DieboldMariano> absolute;
};

struct Standings {
  std::vector<std::string> columns;
  std::vector<StandingsRow> rows;
  // Rows in which a column is first, means over horizons left out. One a column.
  std::vector<std::size_t> mse_firsts;
  std::vector<std::size_t> mae_firsts;
  std::vector<Comparison> comparisons;
  std::size_t runs = 0;     // of the study that are finished
  std::size_t missing = 0;  // and that are not
};

// Of the runs that the study has now; others in `records` are left out. `out` holds the errors of
// every window. Throws Error where a file of them cannot be read.
Standings make_standings(const Study& study, const std::vector<RunRecord>& records);

}  // namespace pulsecast::benchmark
