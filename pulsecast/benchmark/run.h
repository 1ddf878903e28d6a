// One run of a study: rows read, a model trained, its test rows scored once, a record made.
//
// Training is saved as it goes under OUT/unfinished/ and goes on from there, to the same bits. The
// best epoch is chosen by validation; test rows are looked at when training is over, and nothing is
// chosen after that. A kill between the scoring and the record scores the same weights again, and
// the record says that it was done twice.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/benchmark/run_record.h"
#include "pulsecast/benchmark/scoring.h"
#include "pulsecast/train/fit.h"

namespace pulsecast::benchmark {

// What the caller wants to hear of the training. Everything may be left out.
struct RunHooks {
  Watch watch = {};
  std::function<void(const train::StepReport&)> on_step = {};
  std::function<void(std::span<const train::EpochRecord> history, bool is_best)> on_epoch = {};
  // With what came of it, before the record is kept: whatever is to stand beside a record is made
  // here, and a kill does it again.
  std::function<void(const Task& task, const TestRows& rows, const model::Ensemble& trained)>
      on_trained = {};
};

// Rows of a file as training reads them. Columns of the past are left out, which some models would
// read and others not: all models of a study have the same rows.
Series read_rows(const std::filesystem::path& file, const Settings& settings, ThreadPool& threads,
                 const Watch& watch = {});

// Where a run leaves things, and what its rows must be.
struct RunPlace {
  std::filesystem::path out;
  bool keep_forecasts = false;
  // Of the dataset's rows in other runs of the study; empty where there is none yet.
  std::string data_checksum = {};
};

// Leaves OUT/errors/RUN.safetensors and with keep_forecasts OUT/forecasts/RUN.csv; the checkpoint
// stays until finish_run(). Throws Error: kInterrupted when stopped, kTraining, kData;
// kUsage where the rows are others than before.
RunRecord run_task(const Task& task, const RunPlace& place, const RunHooks& hooks,
                   ThreadPool& threads);
// To be called when the record is kept.
void finish_run(const RunKey& key, const std::filesystem::path& out);

// Scores another program's forecasts on the windows of `task`, whose model is its name; nothing is
// trained, and its settings are those of a run of the study.
RunRecord score_outside(const Task& task, const std::filesystem::path& forecasts,
                        const RunPlace& place, const RunHooks& hooks, ThreadPool& threads);

// SHA-256 of a file's bytes. Throws Error(kInputOutput).
std::string file_checksum(const std::filesystem::path& file);

}  // namespace pulsecast::benchmark
