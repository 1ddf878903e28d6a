// A series and settings in, a trained model out.
#pragma once

#include <memory>

#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/train/companion.h"
#include "pulsecast/train/plan.h"
#include "pulsecast/train/trainer.h"

namespace pulsecast::train {

// What the caller wants to hear and where training may be saved. Everything may be left out.
struct FitHooks {
  std::optional<std::filesystem::path> checkpoint;  // of the run; a refit adds ".refit"
  std::string data_checksum;                        // joins the fingerprint of the checkpoint
  bool resume = false;
  bool allow_other_cpu = false;  // resume a run of a CPU whose last bits differ
  // Everything up to the first step: the plan, and the windows to learn from and to validate on.
  // What training would refuse is refused, and nothing is trained.
  bool rehearse = false;
  Watch watch = {};
  std::function<void(const Plan&)> on_plan = {};
  std::function<void(const StepReport&)> on_step = {};
  // Every epoch so far, when one is done.
  std::function<void(std::span<const EpochRecord> history, bool is_best)> on_epoch = {};
};

struct Fitted {
  Plan plan;
  Scaler scaler;
  std::unique_ptr<model::Pulse> pulse;
  RowRange trained;  // rows that the weights and the scaler have seen
  TrainingResult result;
  std::optional<CompanionFit> companion;
  std::size_t training_windows = 0;
  std::size_t validation_windows = 0;
  double naive_validation = 0.0;  // MSE of each window's last value, over the windows of validation
  bool is_refit = false;          // trained again on every row
  // What whoever uses the model should know: training ended at a fault, it is far worse than naive.
  std::vector<std::string> warnings;
  double seconds = 0.0;  // of training, this time; a resumed run spent more before
};

// The settings are completed (completion.h); those of the model are in the plan. With `refit` the
// model is trained again on every row, for as many epochs as validated best; should that come to
// nothing finite, the model is the validated one.
Fitted fit(const Series& series, const Settings& told, bool refit, const FitHooks& hooks,
           ThreadPool& pool);

}  // namespace pulsecast::train
