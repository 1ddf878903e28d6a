// What is to be run for the parts that are asked for: each training once, however many tables and
// figures have it, the cheapest first.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/benchmark/study.h"
#include "pulsecast/data/paper/dataset_check.h"
#include "pulsecast/paper/parts.h"

namespace pulsecast::paper {

struct Request {
  std::filesystem::path data;  // folder of the datasets' files
  std::filesystem::path out;
  std::vector<std::string> parts = {};      // by name; none are all
  std::vector<std::string> datasets = {};   // by name; none are all
  std::vector<std::string> models = {};     // as studies name them; none are all
  std::vector<std::int64_t> horizons = {};  // none are all
  std::vector<std::int64_t> seeds = {2024};
  // ETTh1 and ETTh2, one seed, no run that is thought to take longer than kQuickSeconds.
  bool is_quick = false;
  std::int64_t most_epochs = 0;  // of every run, for a trial; 0 is what each was published with
};

inline constexpr double kQuickSeconds = 50.0;

struct PlannedRun {
  benchmark::Task task;
  double seconds = 0.0;      // that it is thought to take
  bool is_pictured = false;  // its anchors are looked at, whatever parts are asked for
};

class Plan {
 public:
  // Looks at the files that are there. Throws Error(kUsage) for a part or dataset that there is
  // not and a model or horizon that no part has, Error(kInputOutput) where `data` is no folder.
  Plan(Request request, ThreadPool& threads, const Watch& watch = {});

  const Request& request() const { return request_; }
  const std::vector<const Part*>& parts() const { return parts_; }
  // One a dataset, in the registry's order.
  const std::vector<DatasetCheck>& files() const { return files_; }
  const std::vector<PlannedRun>& runs() const { return runs_; }
  std::size_t left_out() const { return left_out_; }  // runs, for being quick
  // Every training that the parts show, also those that are left out or have no file: there may be
  // records of them.
  const std::map<benchmark::RunKey, Want>& wants() const { return wants_; }  // under seed 0

  // Whether there is a file of it that can be read, and it was not left out on request.
  bool has(std::string_view dataset) const;
  // Whether its file is there and was not asked for.
  bool is_left_out(std::string_view dataset) const;
  const DatasetCheck& file_of(std::string_view dataset) const;
  // Which run does it; also of one that is not planned.
  benchmark::RunKey key_of(const Want& want, std::int64_t seed) const;
  // For the folder, the journal and messages.
  benchmark::Study study() const;
  // The training, with all of its settings; `seed` is the request's first unless told.
  benchmark::Task task_of(const Want& want, std::optional<std::int64_t> seed = {}) const;

 private:
  void look_at_files(ThreadPool& threads, const Watch& watch);
  void add(const std::vector<Want>& together);
  void add_part(const Part& part);
  double seconds_of(const Want& want);
  bool is_asked(std::string_view dataset) const;
  bool is_asked(const Want& want) const;
  void require_known_models() const;
  void require_known_horizons() const;

  Request request_;
  std::vector<const Part*> parts_;
  std::vector<DatasetCheck> files_;
  std::vector<PlannedRun> runs_;
  std::map<benchmark::RunKey, Want> wants_;
  std::size_t left_out_ = 0;
  std::size_t threads_ = 1;
  std::map<std::string, double> seconds_;  // by the name of the run
};

// "pulse lookback=336 router-width=64": what a record of it is known by.
std::string run_name(const Want& want);
// The same training under the name that is the shortest: a setting that the recipe has anyway is
// not another model.
Want plainest(const Want& want);

}  // namespace pulsecast::paper
