// How a model would have done: its forecasts from many past origins, beside naive ones, an older
// model's or another program's on the same windows.
//
//   Observations rows = model->read("load.csv");
//   Backtest past = backtest(rows, model, {.stride = 24});
//
// Origins are the newest rows whose futures have come, `stride` rows apart. A model that learns as
// it goes is trained again every so many origins, or when its errors drift away from the baseline's
// (evaluate/drift_watch.h); it sees no row that it would not have had.
//
// With `out` every forecast is written as CSV, and kept beside it as it is made: a run that was
// stopped goes on with `resume` and ends with the same bits.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "pulsecast/evaluate/backtest_result.h"
#include "pulsecast/forecaster.h"

namespace pulsecast {

struct BacktestOptions {
  std::size_t stride = 1;
  std::size_t origins = 0;        // the newest so many; 0: all that the rows allow
  Part part = Part::kHeldOut;     // of a trained model: rows that hold the futures
  std::size_t refit_every = 0;    // origins; 0: no refit by their count
  bool refit_on_drift = false;    // train again when the alarm rises
  std::size_t history_rows = 0;   // that a refit learns from, the newest; 0: all before it
  std::size_t drift_window = 0;   // origins; 0: as many as a horizon has strides, at least 10
  std::string against_name = {};  // of one of these two in the result
  std::shared_ptr<const Model> against_model = {};
  std::filesystem::path against_forecasts = {};  // CSV as `out` has it; unique_id,ds,cutoff,yhat
  std::optional<std::filesystem::path> out = {};
  bool resume = false;
  Threads threads = {};
  Watch watch = {};  // of all: "backtest" tells origins
};

// Of a model as it is; where options ask for refits, trained again by its own settings. `rows` as
// Model::read gives them.
Backtest backtest(const Observations& rows, std::shared_ptr<const Model> model,
                  const BacktestOptions& options);

// Of what these settings would have learnt: trained first on the rows before the first origin, or
// with a split on its training rows. Without a split and a number of origins, those whose futures
// lie in the newest fifth.
Backtest backtest(const Observations& rows, const Settings& settings,
                  const BacktestOptions& options);

// Whether a model should take the place of another, by the squared errors of both from the same
// origins.
struct Comparison {
  bool is_better = false;  // lower, and the paired test says that it is no luck (p < 0.05)
  std::string reason;      // "its MSE is 3.1 % lower over 500 origins (p = 0.004)"
};
// Of a backtest with a rival, which is the last contender.
Comparison compare_with_rival(const Backtest& past);

}  // namespace pulsecast
