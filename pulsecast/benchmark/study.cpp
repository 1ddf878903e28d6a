#include "pulsecast/benchmark/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/settings/catalogue.h"

namespace pulsecast::benchmark {
namespace {

// What differs from run to run, and where it is said.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kGridSettings = {{
    {"model", "models = [...]"},
    {"backbone", "models = [\"pulse:NAME\"]"},
    {"recipe", "the name of the dataset"},
    {"horizon", "horizons = [...]"},
    {"seed", "seeds = [...]"},
}};

void apply(const std::vector<Override>& overrides, Settings& settings) {
  const std::vector<BoundSetting> bound = bind_all(settings);
  for (const Override& each : overrides) {
    find_setting(bound, each.name, each.where).assign(each.values, each.where);
  }
}

}  // namespace

void refuse_grid_setting(std::string_view name, const std::string& where) {
  for (const auto& [own, instead] : kGridSettings) {
    if (name != own) continue;
    throw_error(ErrorKind::kUsage, where, "'{}' differs from run to run: say it with {}", name,
                instead);
  }
}

std::string to_text(const RunKey& key) {
  return fmt::format("{} {} {} {}", key.model, key.dataset, key.horizon, key.seed);
}

std::string file_word(std::string text) {
  for (char& c : text) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
    if (!is_plain) c = '-';
  }
  return text;
}

std::string file_stem(const RunKey& key) {
  return file_word(fmt::format("{}_{}_{}_{}", key.model, key.dataset, key.horizon, key.seed));
}

Task task_of(const Study& study, const Contender& model, const StudyDataset& dataset,
             std::int64_t horizon, std::int64_t seed) {
  Task task{.key = {model.name, dataset.name, horizon, seed},
            .file = dataset.file,
            .base = base_settings(model, dataset.name, horizon)};
  Settings& settings = task.base.settings;
  apply(study.overrides, settings);
  apply(dataset.overrides, settings);
  const auto own = study.model_overrides.find(model.name);
  if (own != study.model_overrides.end()) apply(own->second, settings);
  settings.training.seed = seed;
  task.base.protocol =
      fmt::format("split {}; {}", settings.data.split.value_or("by default"), task.base.protocol);
  return task;
}

std::vector<Task> tasks_of(const Study& study) {
  std::vector<Task> tasks;
  for (const StudyDataset& dataset : study.datasets) {
    for (const std::int64_t horizon : dataset.horizons) {
      for (const std::int64_t seed : study.seeds) {
        for (const Contender& model : study.models) {
          tasks.push_back(task_of(study, model, dataset, horizon, seed));
        }
      }
    }
  }
  return tasks;
}

const StudyDataset& dataset_of(const Study& study, std::string_view name) {
  return *std::ranges::find(study.datasets, name, &StudyDataset::name);
}

}  // namespace pulsecast::benchmark
