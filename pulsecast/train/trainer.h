// Epochs of steps, validated, the best kept; checkpointed as it goes. Training ends after the most
// epochs, or before when validation has not got better for as many epochs as the patience, or at a
// step that comes to nothing finite: then the best epoch before it is what was learnt, and the
// checkpoint is of that, for a run with a smaller learning rate to go on from.
//
// A run is a pure function of the windows, the model's start, and the settings: it can be killed at
// any step, resumed from its checkpoint, and ends with the same bits.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/model/pulse.h"
#include "pulsecast/train/regimen.h"
#include "pulsecast/train/reports.h"
#include "pulsecast/train/training_state.h"

namespace pulsecast::train {

struct CheckpointPlan {
  std::filesystem::path path;
  std::string fingerprint;  // of data and whatever else the caller's side of the run depends on
  bool resume = false;      // go on from the file if it is there; otherwise it is overwritten
  bool allow_other_cpu = false;  // go on with another arithmetic, to other last bits
};

struct TrainingTask {
  model::Pulse& pulse;  // initialised; ends with the best epoch's weights
  const Windows& training;
  const Windows* validation = nullptr;  // without it all epochs run and the last is kept
  Regimen settings;
  // Of a ridge that is solved again: those of the first one's result. Empty: they are found.
  std::vector<std::uint32_t> strengths = {};
  std::size_t batch = 256;
  std::size_t epoch_steps = 0;  // at most; 0: all windows
  std::optional<CheckpointPlan> checkpoint = {};
  // Progress and remarks ("resumed at epoch 3, step 12"); cancelled, it saves and throws
  // kInterrupted; asked to finish, it saves and ends with the best epoch so far.
  Watch watch = {};
  std::function<void(const StepReport&)> on_step = {};
  // Every epoch so far, when one is done.
  std::function<void(std::span<const EpochRecord> history, bool is_best)> on_epoch = {};
};

struct TrainingResult {
  std::uint32_t best_epoch = 0;
  double best_validation = 0.0;  // MSE; NaN without validation
  std::vector<EpochRecord> history;
  std::size_t memory = 0;  // bytes of gradients, arenas, encodings and batches
  std::size_t lanes = 0;   // parts of a step that threads may run at once; see model/batch_cut.h
  std::optional<Fault> fault = {};  // that ended training; the best epoch is from before it
  bool is_ended = false;            // before its time, by whoever asked for the best so far
  double seconds_before = 0.0;      // that a run which was resumed had taken before
  // Of a ridge: of the one that all channels share, then of each that has its own.
  std::vector<std::uint32_t> strengths = {};
};

// Throws Error(kTraining) where no epoch is there to be kept: the loss or its gradient is not
// finite before one was validated, or its validation error is not. The last checkpoint stays as it
// was. Error(kInterrupted) when stopped.
TrainingResult train(const TrainingTask& task, ThreadPool& pool);

}  // namespace pulsecast::train
