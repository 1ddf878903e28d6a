// One setting varied over a study: every model at every value, all else as it is.
//
// A sweep is a study of its own, so it is trained, stopped, gone on with and recorded like one. It
// shows how much a setting matters. Choosing a value is for validation, and the report marks the
// one that validates best; the test errors beside it tell what that choice came to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/benchmark/mean_spread.h"
#include "pulsecast/benchmark/run_record.h"
#include "pulsecast/benchmark/study.h"

namespace pulsecast::benchmark {

struct Sweep {
  Study study;  // its models are named "MODEL SETTING=VALUE"; its folder is OUT/sweep-SETTING
  std::string setting;
  std::vector<std::string> values;
  std::vector<std::string> models;  // of the study that is varied
};

// `vary` is "width=8,16,32". Throws Error(kUsage) where there is no such setting, where a value is
// not one of it, or where the study itself sets it; `where` names the place it came from.
Sweep make_sweep(const Study& study, std::string_view vary, const std::string& where = "vary");

// A model at one value, over seeds.
struct SweepPoint {
  std::size_t seeds = 0;       // 0: there is nothing yet
  MeanSpread validation = {};  // MSE of the epoch that was kept
  MeanSpread mse = {};
  MeanSpread mae = {};
  std::size_t weights = 0;
};

struct SweepLine {
  std::string model;
  std::string dataset;
  std::int64_t horizon = 0;        // 0: the mean over horizons, given where all are there
  std::vector<SweepPoint> points;  // one a value
};

// Dataset by dataset, model by model, the horizons and then their mean.
std::vector<SweepLine> sweep_lines(const Sweep& sweep, const std::vector<RunRecord>& records);

// The place of the value with the lowest validation error; none where there is no point.
std::optional<std::size_t> best_validated(const SweepLine& line);

}  // namespace pulsecast::benchmark
