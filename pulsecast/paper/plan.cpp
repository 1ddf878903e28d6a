#include "pulsecast/paper/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "pulsecast/base/near_miss.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/paper/estimate.h"
#include "pulsecast/paper/numbers.h"
#include "pulsecast/settings/settings.h"

namespace pulsecast::paper {
namespace {

using Verdict = DatasetCheck::Verdict;

constexpr std::array<std::string_view, 2> kQuickDatasets = {"ETTh1", "ETTh2"};
// Those of the paper without a recipe, which have gaps or may have.
constexpr std::array<std::string_view, 6> kWithGaps = {"SD",     "AQShunyi", "AQWan",
                                                       "ZafNoo", "CzeLan",   "Wind"};
constexpr const char* kSource = "paper";

bool is_among(const auto& one, const auto& all) {
  return std::ranges::find(all, one) != std::end(all);
}

benchmark::Override override_of(std::string_view setting) {
  const std::size_t equals = setting.find('=');
  return {
      std::string(setting.substr(0, equals)), {std::string(setting.substr(equals + 1))}, kSource};
}

// Every setting of a run but the seed, which differs anyway.
benchmark::Task task_named(const Want& want, const std::string& name, std::int64_t most_epochs,
                           std::int64_t seed, const std::filesystem::path& file) {
  benchmark::Contender model = benchmark::parse_contender(want.model, kSource);
  model.name = name;
  benchmark::Study study;
  auto& overrides = study.model_overrides[name];
  overrides.push_back({"lookback", {std::to_string(want.lookback)}, kSource});
  // The paper's PULSE is one model.
  if (model.around != benchmark::Contender::Around::kNothing) {
    overrides.push_back({"companion", {"none"}, kSource});
  }
  if (is_among(want.dataset, kWithGaps)) overrides.push_back({"fill", {"linear"}, kSource});
  if (!want.setting.empty()) overrides.push_back(override_of(want.setting));
  if (most_epochs > 0) {
    overrides.push_back({"epochs", {std::to_string(most_epochs)}, kSource});
  }
  const benchmark::StudyDataset dataset{want.dataset, file, {want.horizon}, {}};
  return benchmark::task_of(study, model, dataset, want.horizon, seed);
}

}  // namespace

std::string run_name(const Want& want) {
  return fmt::format("{}{}{}{}", want.model,
                     want.lookback == kLookback ? "" : fmt::format(" lookback={}", want.lookback),
                     want.setting.empty() ? "" : " ", want.setting);
}

Want plainest(const Want& want) {
  if (want.setting.empty()) return want;
  Want plain = want;
  plain.setting.clear();
  const auto settings_of = [](const Want& each) {
    return setting_texts(task_named(each, "", 0, 0, {}).base.settings);
  };
  return settings_of(plain) == settings_of(want) ? plain : want;
}

Plan::Plan(Request request, ThreadPool& threads, const Watch& watch)
    : request_(std::move(request)), threads_(threads.size()) {
  for (const std::string& name : request_.datasets) {
    if (find_dataset(name) != nullptr) continue;
    std::vector<std::string> known;
    for (const Dataset& dataset : datasets()) known.emplace_back(dataset.name);
    throw_error(ErrorKind::kUsage, "datasets", "the paper has no dataset '{}'.{}", name,
                did_you_mean(name, known));
  }
  for (const Part& part : paper::parts()) {
    if (request_.parts.empty()) parts_.push_back(&part);
  }
  for (const std::string& name : request_.parts) {
    const Part& part = find_part(name, "only");
    if (!is_among(&part, parts_)) parts_.push_back(&part);
  }
  look_at_files(threads, watch);
  for (const Part* part : parts_) add_part(*part);
  require_known_models();
  require_known_horizons();
  std::ranges::stable_sort(runs_, {}, &PlannedRun::seconds);
}

void Plan::look_at_files(ThreadPool& threads, const Watch& watch) {
  std::error_code error;
  if (!std::filesystem::is_directory(request_.data, error)) {
    throw_error(ErrorKind::kInputOutput, request_.data.string(),
                "is not a folder that can be read{}", error ? ": " + error.message() : "");
  }
  for (const Dataset& dataset : datasets()) {
    watch.check("reading");
    if (is_asked(dataset.name)) {
      files_.push_back(check_dataset(request_.data, dataset, threads));
    } else {
      DatasetCheck unread;  // but where it is
      unread.dataset = &dataset;
      unread.path = dataset_file(request_.data, dataset);
      files_.push_back(std::move(unread));
    }
  }
}

bool Plan::is_asked(std::string_view dataset) const {
  if (request_.is_quick && !is_among(dataset, kQuickDatasets)) return false;
  return request_.datasets.empty() ||
         std::ranges::any_of(request_.datasets, [&](const std::string& name) {
           return find_dataset(name)->name == dataset;
         });
}

bool Plan::is_asked(const Want& want) const {
  return (request_.models.empty() || is_among(want.model, request_.models)) &&
         (request_.horizons.empty() || is_among(want.horizon, request_.horizons));
}

void Plan::require_known_models() const {
  std::vector<std::string> known;
  std::string list;
  for (const auto& [key, want] : wants_) {
    if (is_among(want.model, known)) continue;
    known.push_back(want.model);
    list += fmt::format("{}{}", list.empty() ? "" : ", ", want.model);
  }
  for (const std::string& model : request_.models) {
    if (is_among(model, known)) continue;
    throw_error(ErrorKind::kUsage, "models",
                "no part that is asked for trains '{}'.{} They train {}", model,
                did_you_mean(model, known), list);
  }
}

void Plan::require_known_horizons() const {
  std::set<std::int64_t> known;
  for (const auto& [key, want] : wants_) known.insert(want.horizon);
  for (const std::int64_t horizon : request_.horizons) {
    if (known.contains(horizon)) continue;
    throw_error(ErrorKind::kUsage, "horizons",
                "no part that is asked for has a horizon of {}; there are {}", horizon,
                fmt::join(known, ", "));
  }
}

const DatasetCheck& Plan::file_of(std::string_view dataset) const {
  return *std::ranges::find_if(
      files_, [&](const DatasetCheck& check) { return check.dataset->name == dataset; });
}

bool Plan::has(std::string_view dataset) const {
  const Verdict verdict = file_of(dataset).verdict;
  return verdict != Verdict::kAbsent && verdict != Verdict::kUnreadable;
}

bool Plan::is_left_out(std::string_view dataset) const {
  return !is_asked(dataset) && !file_of(dataset).path.empty();
}

benchmark::RunKey Plan::key_of(const Want& want, std::int64_t seed) const {
  return {run_name(plainest(want)), want.dataset, want.horizon, seed};
}

benchmark::Study Plan::study() const {
  benchmark::Study study;
  study.source = kSource;
  study.out = request_.out;
  return study;
}

benchmark::Task Plan::task_of(const Want& want, std::optional<std::int64_t> seed) const {
  return task_named(want, run_name(want), request_.most_epochs,
                    seed.value_or(request_.seeds.front()), file_of(want.dataset).path);
}

double Plan::seconds_of(const Want& want) {
  const std::string known = benchmark::to_text({run_name(want), want.dataset, want.horizon, 0});
  const auto found = seconds_.find(known);
  if (found != seconds_.end()) return found->second;
  const double seconds = estimated_seconds(task_of(want), *file_of(want.dataset).dataset, threads_);
  seconds_[known] = seconds;
  return seconds;
}

// Those of one cell: none is of use without the others.
void Plan::add(const std::vector<Want>& together) {
  std::vector<Want> wants;
  wants.reserve(together.size());
  for (const Want& want : together) {
    wants.push_back(plainest(want));
    wants_.emplace(key_of(want, 0), wants.back());
  }
  if (!has(together.front().dataset)) return;
  if (!std::ranges::all_of(wants, [&](const Want& want) { return is_asked(want); })) return;
  const bool is_long = std::ranges::any_of(
      wants, [&](const Want& want) { return seconds_of(want) > kQuickSeconds; });
  if (request_.is_quick && is_long) {
    left_out_ += wants.size();
    return;
  }
  for (const Want& want : wants) {
    for (const std::int64_t seed : request_.seeds) {
      benchmark::Task task = task_of(want, seed);
      const bool is_there = std::ranges::any_of(
          runs_, [&](const PlannedRun& run) { return run.task.key == task.key; });
      if (is_there) continue;
      const bool is_pictured = task.key.model == kOwnModel && want.horizon == kHorizons[0] &&
                               seed == request_.seeds.front();
      runs_.push_back({std::move(task), seconds_of(want), is_pictured});
    }
  }
}

void Plan::add_part(const Part& part) {
  for (const ErrorTable& table : part.tables) {
    for (const Cell& cell : cells()) {
      if (cell.table != table.name) continue;
      add(wants_of(cell.model, cell.dataset, cell.lookback, cell.setting, cell.horizon));
    }
  }
  for (const Curve& curve : part.curves) {
    for (const std::string_view dataset : curve.datasets) {
      for (const std::string_view value : curve.values) {
        add({want_of(curve, dataset, value)});
      }
    }
  }
  for (const std::string_view dataset : ablated_datasets()) {
    if (part.extra == Extra::kAnchors) {
      add({{.model = std::string(kOwnModel), .dataset = std::string(dataset)}});
    }
    if (part.extra == Extra::kForecasts) {
      for (const std::string_view model : pictured_models()) {
        add({{.model = std::string(model), .dataset = std::string(dataset)}});
      }
    }
    if (part.extra == Extra::kHelps) {
      for (const std::int64_t horizon : kHorizons) {
        Want want{
            .model = std::string(kOwnModel), .dataset = std::string(dataset), .horizon = horizon};
        add({want});
        for (const Without& without : withouts()) {
          want.setting = without.setting;
          add({want});
        }
      }
    }
  }
  if (part.extra == Extra::kCosts) {
    for (const CostCell& cell : cost_cells()) {
      add(wants_of(cell.model, cell.dataset, kLookback, "", 0));
    }
  }
}

}  // namespace pulsecast::paper
