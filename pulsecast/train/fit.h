// A series and settings in, a trained model out.
#pragma once

#include "pulsecast/calibrate/calibration.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/model/ensemble.h"
#include "pulsecast/train/companion.h"
#include "pulsecast/train/effect_fit.h"
#include "pulsecast/train/plan.h"
#include "pulsecast/train/static_fit.h"
#include "pulsecast/train/trainer.h"
#include "pulsecast/train/training_rows.h"

namespace pulsecast::train {

// What the caller wants to hear and where training may be saved. Everything may be left out.
struct FitHooks {
  std::optional<std::filesystem::path> checkpoint = {};  // of the run; a refit adds ".refit"
  std::string data_checksum = {};                        // joins the fingerprint of the checkpoint
  bool resume = false;
  bool allow_other_cpu = false;  // resume a run of a CPU whose last bits differ
  // Everything up to the first step: the plan, and the windows to learn from and to validate on.
  // What training would refuse is refused, and nothing is trained.
  bool rehearse = false;
  // Weights to begin at, put into a model that is initialised; what they are joins data_checksum.
  std::function<void(model::Pulse&)> start = {};
  Watch watch = {};
  std::function<void(const Plan&)> on_plan = {};
  std::function<void(const StepReport&)> on_step = {};
  // Every epoch so far, when one is done.
  std::function<void(std::span<const EpochRecord> history, bool is_best)> on_epoch = {};
};

struct Fitted {
  Plan plan;
  Scaler scaler;
  EffectFit effects;  // of the known columns
  StaticFit statics;  // of the static ones
  model::Ensemble ensemble;
  RowRange trained;  // rows that the weights and the scaler have seen
  TrainingResult result;
  std::optional<CompanionFit> companion;
  std::optional<calibrate::Calibration> ranges;  // of the validated training
  std::size_t training_windows = 0;
  std::size_t validation_windows = 0;
  double naive_validation = 0.0;  // MSE of each window's last value, over the windows of validation
  double seasonal_validation = 0.0;  // and of its last period; NaN where it has none
  bool is_refit = false;             // trained again on every row
  // What whoever uses the model should know: training ended at a fault, it is far worse than naive.
  std::vector<std::string> warnings;
  double seconds = 0.0;  // of training, with those of a run that was resumed
};

// "model.patch: 24" a line for everything that a run's bits depend on beside code and CPU.
std::string fingerprint_of(const Settings& settings, const Plan& plan, RowRange rows,
                           const std::string& data_checksum);

// Puts into `fitted` what repeating each window's last value, and its last period, comes to over
// the windows of validation.
void measure_naive(const Series& series, const Part& validation, const Windows& held_out,
                   ThreadPool& pool, Fitted& fitted);

// What whoever uses the model should know of how its training went.
std::vector<std::string> warnings_of(const Fitted& fitted);

// The settings are completed (completion.h); those of the model are in the plan. With `refit` the
// model is trained again on every row, for as many epochs as validated best; should that come to
// nothing finite, the model is the validated one.
Fitted fit(const Series& series, const Settings& told, bool refit, const FitHooks& hooks,
           ThreadPool& pool);

}  // namespace pulsecast::train
