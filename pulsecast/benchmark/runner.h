// A study from its first run to its last, however often it is stopped in between.
//
// What is finished is in OUT/runs.jsonl and is not done again; what is half done goes on from its
// checkpoint. A finished run whose settings or rows are not what the study now says is refused:
// a table must not mix two experiments.
#pragma once

#include <optional>

#include "pulsecast/base/error.h"
#include "pulsecast/benchmark/run.h"
#include "pulsecast/benchmark/study.h"

namespace pulsecast::benchmark {

struct StudyHooks {
  RunHooks run;
  // Before a run, which is `number` of `total`.
  std::function<void(const RunKey& key, std::size_t number, std::size_t total)> on_start = {};
  std::function<void(const RunRecord& record)> on_done = {};
  // After a run whose training broke down; the others are still done.
  std::function<void(const RunKey& key, const Error& error)> on_failure = {};
  std::function<void(const std::string&)> on_remark = {};
  // A run whose rows are at fault fails alone, as one that cannot be trained does.
  bool skips_bad_rows = false;
};

struct FailedRun {
  RunKey key;
  Error error;
};

struct StudyResult {
  std::size_t done = 0;   // now
  std::size_t found = 0;  // done before
  std::vector<FailedRun> failures;
};

// Forecasts of other programs are scored first, since a file that lacks some is known at once.
// Throws Error; kInterrupted says how to go on. Runs that fail to train do not keep others from
// being done.
StudyResult run_study(const Study& study, const StudyHooks& hooks, ThreadPool& threads);

// The same for a list of runs that is no grid, in the order of the list; `study` says where records
// are and what messages name.
StudyResult run_tasks(const Study& study, const std::vector<Task>& tasks, const StudyHooks& hooks,
                      ThreadPool& threads);

// A setting that a record was done with and the task has otherwise; none where all agree.
struct ChangedSetting {
  std::string name;
  std::string before;
  std::string now;
};
std::optional<ChangedSetting> changed_setting(const RunRecord& record, const Task& task);

// Throws Error(kUsage) that names the one there is; `study` is what the message is about.
void require_same_settings(const RunRecord& record, const Task& task, const Study& study);

// The file of the records.
std::filesystem::path journal_path(const Study& study);

}  // namespace pulsecast::benchmark
