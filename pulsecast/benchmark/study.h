// What is to be compared: models, datasets, horizons and seeds, and so the runs to be done.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/benchmark/contender.h"

namespace pulsecast::benchmark {

// A setting that a study gives, and where in the file.
struct Override {
  std::string name;
  std::vector<std::string> values;
  std::string where;
};

// Throws Error(kUsage) for a setting that the study itself sets, run by run: it says where to.
void refuse_grid_setting(std::string_view name, const std::string& where);

struct StudyDataset {
  std::string name;
  std::filesystem::path file;
  std::vector<std::int64_t> horizons;
  std::vector<Override> overrides;
};

// Forecasts that another program made.
struct OutsideForecasts {
  std::string name;
  std::filesystem::path file;
  std::string dataset;
  std::int64_t horizon = 0;
};

struct Study {
  std::string source;  // the file
  std::filesystem::path out;
  std::vector<Contender> models;
  std::vector<StudyDataset> datasets;
  std::vector<std::int64_t> seeds;
  bool keep_forecasts = false;
  std::vector<Override> overrides;
  std::map<std::string, std::vector<Override>> model_overrides;  // by the model's name
  std::vector<OutsideForecasts> forecasts;
};

// What one run is known by.
struct RunKey {
  std::string model;
  std::string dataset;
  std::int64_t horizon = 0;
  std::int64_t seed = 0;

  friend auto operator<=>(const RunKey&, const RunKey&) = default;
};
// "pulse:dlinear ETTh1 96 2024": for messages.
std::string to_text(const RunKey& key);
// "pulse-dlinear_ETTh1_96_2024": for names of files.
std::string file_stem(const RunKey& key);
// Text as part of a file's name: what is no letter, digit, dot or underscore becomes a dash.
std::string file_word(std::string text);

// One run to be done, with all that it depends on.
struct Task {
  RunKey key;
  std::filesystem::path file;
  BaseSettings base;
};

// Dataset by dataset, horizon by horizon, all models of a seed before the next seed: what is there
// after a while can be compared.
std::vector<Task> tasks_of(const Study& study);

// The settings of a run of the study, whatever the number of tasks.
Task task_of(const Study& study, const Contender& model, const StudyDataset& dataset,
             std::int64_t horizon, std::int64_t seed);

// The entry of that name; it is there.
const StudyDataset& dataset_of(const Study& study, std::string_view name);

}  // namespace pulsecast::benchmark
