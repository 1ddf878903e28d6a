#include "pulsecast/paper/conduct.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "pulsecast/base/file_lock.h"
#include "pulsecast/base/folder.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/benchmark/journal.h"
#include "pulsecast/data/series/series_checksum.h"
#include "pulsecast/paper/anchors.h"
#include "pulsecast/paper/estimate.h"
#include "pulsecast/paper/findings.h"

namespace pulsecast::paper {
namespace {

namespace fs = std::filesystem;
using benchmark::RunRecord;

// What is done of a plan, and how fast it went.
class Ledger {
 public:
  explicit Ledger(const Plan& plan) : plan_(plan) {
    for (const RunRecord& record :
         benchmark::read_journal(benchmark::journal_path(plan.study())).records) {
      add(record);
    }
  }

  void add(const RunRecord& record) {
    for (const PlannedRun& run : plan_.runs()) {
      if (run.task.key != record.key) continue;
      done_.push_back(&run);
      pace_.add(record.key.model, run.seconds, record.seconds);
    }
  }

  Remaining left() const {
    Remaining left{.found = done_.size()};
    for (const PlannedRun& run : plan_.runs()) {
      if (std::ranges::find(done_, &run) != done_.end()) continue;
      ++left.runs;
      left.seconds += run.seconds * pace_.of(run.task.key.model);
    }
    return left;
  }

 private:
  const Plan& plan_;
  std::vector<const PlannedRun*> done_;
  Pace pace_;
};

const RunRecord* same_run(const std::vector<RunRecord>& records, const benchmark::Task& task) {
  const auto found = std::ranges::find_if(records, [&](const RunRecord& record) {
    return !record.is_outside && record.key.dataset == task.key.dataset &&
           record.key.horizon == task.key.horizon && record.key.seed == task.key.seed &&
           !benchmark::changed_setting(record, task);
  });
  return found == records.end() ? nullptr : &*found;
}

void copy_into(const fs::path& out, const fs::path& from, const fs::path& to) {
  std::error_code error;
  make_folder(to.parent_path());
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  if (error) {
    throw_error(ErrorKind::kInputOutput, from.string(), "cannot be copied to {}: {}", out.string(),
                error.message());
  }
}

// The errors of its windows come with a record, but for a folder that has records alone: those are
// taken for their numbers, and of their windows nothing can be drawn.
void take_errors(const fs::path& from, const fs::path& out, RunRecord& record) {
  if (record.errors.empty() || !fs::is_directory(from / "errors")) {
    record.errors.clear();
    return;
  }
  // Records may come from anybody: nothing is read that is not in their folder.
  const fs::path theirs = from / "errors" / fs::path(record.errors).filename();
  record.errors = "errors/" + benchmark::file_stem(record.key) + ".safetensors";
  copy_into(out, theirs, out / record.errors);
}

// Checksums of the rows that are here, of each file once.
class RowsHere {
 public:
  RowsHere(ThreadPool& threads, const Watch& watch) : threads_(threads), watch_(watch) {}

  // `record` is of `task`, from the folder `from`.
  void require_same(const RunRecord& record, const benchmark::Task& task, const fs::path& from) {
    std::string& here = checksums_[task.key.dataset];
    if (here.empty()) {
      here = series_checksum(benchmark::read_rows(task.file, task.base.settings, threads_, watch_));
    }
    if (record.data_checksum == here) return;
    throw_error(ErrorKind::kUsage, from.string(),
                "its runs on {} are of other rows than those that are here: their errors cannot "
                "stand in one table",
                task.key.dataset);
  }

 private:
  ThreadPool& threads_;
  const Watch& watch_;
  std::map<std::string, std::string> checksums_;  // by dataset
};

}  // namespace

Remaining remaining(const Plan& plan) { return Ledger(plan).left(); }

std::size_t take_over(const Plan& plan, const std::vector<fs::path>& studies, ThreadPool& threads,
                      const Watch& watch) {
  if (studies.empty()) return 0;
  const fs::path& out = plan.request().out;
  make_folder(out / "errors");
  const FileLock lock(out / "lock",
                      "another process is at this paper; wait for it, or give another folder");
  benchmark::Journal journal(benchmark::journal_path(plan.study()));
  RowsHere rows(threads, watch);
  std::size_t taken = 0;
  for (const fs::path& from : studies) {
    const std::vector<RunRecord> theirs = benchmark::read_journal(from / "runs.jsonl").records;
    if (theirs.empty()) {
      throw_error(ErrorKind::kUsage, from.string(), "is no folder of a study with finished runs");
    }
    for (const PlannedRun& run : plan.runs()) {
      if (journal.find(run.task.key) != nullptr) continue;
      const RunRecord* same = same_run(theirs, run.task);
      if (same == nullptr) continue;
      const fs::path anchors = anchor_file(from, same->key);
      if (run.is_pictured && !fs::exists(anchors)) continue;
      RunRecord record = *same;
      rows.require_same(record, run.task, from);
      record.key = run.task.key;
      if (run.is_pictured) copy_into(out, anchors, anchor_file(out, record.key));
      take_errors(from, out, record);
      journal.append(record);
      ++taken;
    }
  }
  return taken;
}

benchmark::StudyResult conduct(const Plan& plan, const Hooks& hooks, ThreadPool& threads) {
  // What is not to be trained is looked at too: not after hours shall there be no page.
  require_planned_settings(plan,
                           benchmark::read_journal(benchmark::journal_path(plan.study())).records);
  Ledger ledger(plan);
  std::vector<benchmark::Task> tasks;
  for (const PlannedRun& run : plan.runs()) tasks.push_back(run.task);
  benchmark::StudyHooks own = hooks.study;
  own.skips_bad_rows = true;
  own.run.on_trained = [&](const benchmark::Task& task, const benchmark::TestRows& rows,
                           const model::Ensemble& trained) {
    const auto run = std::ranges::find_if(
        plan.runs(), [&](const PlannedRun& planned) { return planned.task.key == task.key; });
    if (!run->is_pictured) return;
    write_anchors(anchor_file(plan.request().out, task.key),
                  look_at_anchors(rows, trained, threads, own.run.watch));
  };
  own.on_start = [&](const benchmark::RunKey& key, std::size_t number, std::size_t total) {
    if (hooks.on_left) hooks.on_left(ledger.left());
    if (hooks.study.on_start) hooks.study.on_start(key, number, total);
  };
  own.on_done = [&](const RunRecord& record) {
    ledger.add(record);
    if (hooks.study.on_done) hooks.study.on_done(record);
  };
  return run_tasks(plan.study(), tasks, own, threads);
}

}  // namespace pulsecast::paper
