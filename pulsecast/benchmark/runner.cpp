#include "pulsecast/benchmark/runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/file_lock.h"
#include "pulsecast/base/folder.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/benchmark/journal.h"
#include "pulsecast/settings/catalogue.h"

namespace pulsecast::benchmark {
namespace {

// When a checkpoint is saved changes no number, and what a recipe sets is compared for itself.
bool is_free(std::string_view name) {
  return name == "training.checkpoint-seconds" || name == "training.recipe";
}

std::string value_of(const std::vector<std::pair<std::string, std::string>>& settings,
                     const std::string& name) {
  const auto found = std::ranges::find(settings, name, &std::pair<std::string, std::string>::first);
  return found == settings.end() ? "unset" : found->second;
}

class Runner {
 public:
  Runner(const Study& study, const std::vector<Task>& tasks, const StudyHooks& hooks,
         ThreadPool& threads)
      : study_(study),
        tasks_(tasks),
        hooks_(hooks),
        threads_(threads),
        lock_(made(study.out) / "lock",
              "another process is at this study; wait for it, or give this one another 'out'"),
        journal_(journal_path(study)) {}

  StudyResult run() && {
    if (journal_.was_damaged()) {
      remark(
          fmt::format("the last line of {} was cut short and is taken off; its run is done again",
                      journal_path(study_).string()));
    }
    for (const Task& task : tasks_) {
      if (const RunRecord* record = journal_.find(task.key)) {
        require_same_settings(*record, task, study_);
      }
    }
    for (const OutsideForecasts& outside : study_.forecasts) score(outside);
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (journal_.find(tasks_[i].key) != nullptr) {
        finish_run(tasks_[i].key, study_.out);  // a kill may have come after the record
        ++result_.found;
        continue;
      }
      if (hooks_.on_start) hooks_.on_start(tasks_[i].key, i + 1, tasks_.size());
      train(tasks_[i], i + 1, tasks_.size());
    }
    return std::move(result_);
  }

 private:
  static const std::filesystem::path& made(const std::filesystem::path& folder) {
    make_folder(folder);
    return folder;
  }

  void remark(const std::string& text) const {
    if (hooks_.on_remark) hooks_.on_remark(text);
  }

  RunPlace place_for(const Task& task) const {
    RunPlace place{.out = study_.out, .keep_forecasts = study_.keep_forecasts};
    for (const RunRecord& record : journal_.records()) {
      if (record.key.dataset == task.key.dataset) place.data_checksum = record.data_checksum;
    }
    return place;
  }

  void keep(const RunRecord& record) {
    journal_.append(record);
    ++result_.done;
    if (hooks_.on_done) hooks_.on_done(record);
  }

  void score(const OutsideForecasts& outside) {
    // The windows of a study are those of its first model.
    Task task = task_of(study_, study_.models.front(), dataset_of(study_, outside.dataset),
                        outside.horizon, study_.seeds.front());
    task.key.model = outside.name;
    task.key.seed = 0;
    const RunRecord* known = journal_.find(task.key);
    if (known != nullptr && known->forecast_checksum == file_checksum(outside.file)) {
      ++result_.found;
      return;
    }
    keep(score_outside(
        task, outside.file, place_for(task),
        {.watch = {.on_remark = hooks_.on_remark, .is_cancelled = hooks_.run.watch.is_cancelled}},
        threads_));
  }

  void train(const Task& task, std::size_t number, std::size_t total) {
    try {
      keep(run_task(task, place_for(task), hooks_.run, threads_));
      finish_run(task.key, study_.out);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kInterrupted) {
        throw make_error(ErrorKind::kInterrupted, study_.source,
                         "stopped in the run '{}', {} of {}; it is saved in {}", to_text(task.key),
                         number, total, study_.out.string())
            .with(remedy::act(RemedyAction::kResume, "to go on"));
      }
      const bool is_alone = error.kind() == ErrorKind::kTraining ||
                            (hooks_.skips_bad_rows && error.kind() == ErrorKind::kData);
      if (!is_alone) throw;
      result_.failures.push_back({task.key, error});
      if (hooks_.on_failure) hooks_.on_failure(task.key, error);
    }
  }

  const Study& study_;
  const std::vector<Task>& tasks_;
  const StudyHooks& hooks_;
  ThreadPool& threads_;
  FileLock lock_;  // before the journal, which mends its file when it opens
  Journal journal_;
  StudyResult result_;
};

}  // namespace

std::filesystem::path journal_path(const Study& study) { return study.out / "runs.jsonl"; }

StudyResult run_study(const Study& study, const StudyHooks& hooks, ThreadPool& threads) {
  return run_tasks(study, tasks_of(study), hooks, threads);
}

StudyResult run_tasks(const Study& study, const std::vector<Task>& tasks, const StudyHooks& hooks,
                      ThreadPool& threads) {
  return Runner(study, tasks, hooks, threads).run();
}

std::optional<ChangedSetting> changed_setting(const RunRecord& record, const Task& task) {
  const auto now = setting_texts(task.base.settings);
  for (const auto* names : {&now, &record.settings}) {
    for (const auto& [name, value] : *names) {
      if (is_free(name)) continue;
      const std::string before = value_of(record.settings, name);
      const std::string wanted = value_of(now, name);
      if (before != wanted) return ChangedSetting{name, before, wanted};
    }
  }
  return std::nullopt;
}

void require_same_settings(const RunRecord& record, const Task& task, const Study& study) {
  const std::optional<ChangedSetting> changed = changed_setting(record, task);
  if (!changed) return;
  throw make_error(ErrorKind::kUsage, study.source,
                   "the run '{}' was done with {} {}, and is now to have {}", to_text(task.key),
                   changed->name, changed->before, changed->now)
      .with(remedy::advice("put that back"))
      .with(
          remedy::advice(fmt::format("begin anew with another 'out' than {}", study.out.string())));
}

}  // namespace pulsecast::benchmark
