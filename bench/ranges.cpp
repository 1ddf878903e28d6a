// Ranges on the test rows of five files, beside the two bands that everybody has: split conformal
// without a scale and a Gaussian band. All are measured on the same rows and scored on the same
// windows.
//
//   bench_ranges --data DIR          trains a model a file and method, or goes on with it
//   bench_ranges --data DIR --only AQShunyi
//   bench_ranges --cost ETTh1.model ETTh1.csv.gz
//
// DIR holds the files as `pulsecast data verify` names them, gzipped or not. Models are kept in
// --out, and those that are there are used. Prints a Markdown table: coverage over all channels and
// at the worst steps, width and interval score on scaled data. --cost tells what ranges add to a
// forecast of one window.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calibrate/error_sheet.h"
#include "pulsecast/calibrate/rank.h"
#include "pulsecast/forecast/align.h"
#include "pulsecast/forecast/scored_rows.h"
#include "pulsecast/forecaster.h"
#include "pulsecast/metrics/interval_scores.h"
#include "pulsecast/model/inference.h"
#include "pulsecast/settings/training_declaration.h"
#include "pulsecast/train/calibration_split.h"

namespace pulsecast {
namespace {

constexpr std::size_t kBatch = 256;

calibrate::ErrorSheet errors_on(const Series& series, const artifact::Model& model, RowRange rows,
                                ThreadPool& pool) {
  const model::ModelShape& shape = model.shape();
  const ScaledSeries scaled(series, model.scaler, calendar_for(series, model), 0,
                            model.known_use());
  const Windows windows(scaled, shape.lookback, shape.horizon, rows, History::kReaches);
  model::Inference inference(model.ensemble, pool);
  return calibrate::collect_errors(
      windows, {.period = shape.period, .batch = kBatch},
      [&](const Batch& batch, Forecast& forecast) { inference.forecast(batch, forecast); }, pool,
      {});
}

// Half the width of a band around the forecast, of each channel and step.
std::vector<double> half_widths(const calibrate::ErrorSheet& sheet, double level,
                                bool is_gaussian) {
  const double z = level == 80.0 ? 1.2815515655446004 : 1.959963984540054;
  std::vector<double> widths;
  for (std::size_t c = 0; c < sheet.channels; ++c) {
    for (std::size_t h = 0; h < sheet.horizon; ++h) {
      std::vector<double> sizes;
      double sum = 0.0;
      double squares = 0.0;
      for (std::size_t w = 0; w < sheet.windows; ++w) {
        if (!sheet.has(c, w)) continue;
        const double error = sheet.errors_of(c, w)[h];
        sizes.push_back(std::abs(error));
        sum += error;
        squares += error * error;
      }
      const auto n = static_cast<double>(sizes.size());
      const auto rank = calibrate::rank_of(sizes.size(), level / 100.0).value_or(sizes.size());
      std::ranges::nth_element(sizes, sizes.begin() + static_cast<std::ptrdiff_t>(rank - 1));
      widths.push_back(is_gaussian ? z * std::sqrt(squares / n - sum / n * sum / n)
                                   : sizes[rank - 1]);
    }
  }
  return widths;
}

IntervalTable score(const calibrate::ErrorSheet& test, const std::vector<double>& widths,
                    double level) {
  std::vector<IntervalSums> sums(test.channels, IntervalSums(test.horizon, level));
  for (std::size_t c = 0; c < test.channels; ++c) {
    for (std::size_t w = 0; w < test.windows; ++w) {
      if (!test.has(c, w)) continue;
      for (std::size_t h = 0; h < test.horizon; ++h) {
        const double half = widths[c * test.horizon + h];
        sums[c].add_step(h, -half, half, test.errors_of(c, w)[h]);
      }
    }
  }
  return interval_table(sums);
}

void print_row(const std::string& name, const std::string& band, const IntervalTable& table) {
  const auto [least, most] = std::ranges::minmax(table.per_step, {}, &IntervalErrors::coverage);
  fmt::print("| {} | {} | {:g} % | {:.1f} % | {:.1f} to {:.1f} % | {:.3f} | {:.3f} |\n", name, band,
             table.level, 100.0 * table.overall.coverage, 100.0 * least.coverage,
             100.0 * most.coverage, table.overall.width, table.overall.score);
}

// The bands that everybody has, measured on the rows that calibrate the model's own ranges.
void print_usual(const std::string& name, const artifact::Model& model, const Series& series,
                 ThreadPool& pool) {
  const train::CalibrationSplit split =
      train::split_for_calibration(rows_of(series, model, Part::kValidation),
                                   *model.settings.training.calibration, model.shape().horizon);
  const calibrate::ErrorSheet kept = errors_on(series, model, split.calibrates, pool);
  const calibrate::ErrorSheet test =
      errors_on(series, model, rows_of(series, model, Part::kHeldOut), pool);
  for (const double level : {80.0, 95.0}) {
    print_row(name, "split conformal", score(test, half_widths(kept, level, false), level));
    print_row(name, "Gaussian", score(test, half_widths(kept, level, true), level));
  }
}

struct Dataset {
  const char* name;
  const char* file;
  bool has_recipe = true;
};
constexpr Dataset kDatasets[] = {{"ETTh1", "ETTh1.csv"},
                                 {"ETTh2", "ETTh2.csv"},
                                 {"ETTm1", "ETTm1.csv"},
                                 {"Weather", "weather.csv"},
                                 {"AQShunyi", "AQShunyi.csv", false}};

struct Options {
  std::filesystem::path data;
  std::filesystem::path out = "ranges";
  std::vector<std::string> only;
  std::int64_t epochs = 8;
  std::int64_t epoch_steps = 64;
  std::vector<std::string> cost;
};

// Files without a recipe have the paper's look-back, a fifth of their rows each to validate and to
// test on, and gaps filled.
Settings settings_of(const Dataset& dataset, const Options& options, Intervals method) {
  Settings settings;
  settings.data.horizon = "96";
  if (dataset.has_recipe) {
    settings.training.recipe = dataset.name;
  } else {
    settings.data.lookback = "96";
    settings.data.split = "0.6,0.2,0.2";
    settings.data.fill = Fill::kLinear;
    settings.training.budget = "none";
  }
  settings.training.epochs = options.epochs;
  settings.training.epoch_steps = options.epoch_steps;
  settings.training.patience = 3;
  settings.training.calibration = 0.5;
  settings.training.intervals = method;
  return complete(settings);  // a recipe has a say in how rows are read
}

std::string file_of(const Dataset& dataset, const Options& options) {
  const std::filesystem::path plain = options.data / dataset.file;
  const std::filesystem::path packed = plain.string() + ".gz";
  if (std::filesystem::exists(plain)) return plain.string();
  if (std::filesystem::exists(packed)) return packed.string();
  throw_error(ErrorKind::kInputOutput, options.data.string(), "there is no {}", dataset.file);
}

std::shared_ptr<const Model> model_of(const Dataset& dataset, const Options& options,
                                      Intervals method) {
  const std::string word(choice_name(method));
  const std::filesystem::path kept =
      options.out / (std::string(dataset.name) + "-" + word + ".model");
  if (std::filesystem::exists(kept)) return Model::load(kept);
  fmt::print(stderr, "training {}, ranges by the {} method\n", dataset.name, word);
  FitOptions fitting;
  fitting.checkpoint = kept.string() + ".checkpoint";
  fitting.resume = true;
  const auto model = fit(file_of(dataset, options), settings_of(dataset, options, method), fitting);
  model->save(kept);
  std::filesystem::remove(*fitting.checkpoint);
  return model;
}

void compare(const Dataset& dataset, const Options& options) {
  ThreadPool pool;
  for (const Intervals method : {Intervals::kResidual, Intervals::kQuantile}) {
    const auto model = model_of(dataset, options, method);
    const Observations rows =
        model->read(file_of(dataset, options), settings_of(dataset, options, method).data);
    if (method == Intervals::kResidual) {
      print_usual(dataset.name, model->inside(), align(rows.series(), model->inside()), pool);
    }
    const std::string word(choice_name(method));
    for (const RangesScored& ranges : model->evaluate(rows).evaluation.ranges) {
      for (const LevelScored& level : ranges.levels) {
        print_row(dataset.name, word + ", " + ranges.name, level.scaled);
      }
    }
  }
}

// Microseconds of a forecast from the last row that the model was calibrated on, without ranges and
// with those of 80 and 95 percent: medians of runs that take turns.
void time_forecasts(const std::string& model_file, const std::string& file) {
  const auto model = Model::load(model_file);
  const Observations rows = model->read(file);
  Session session(model, Threads(1));
  const ForecastOptions plain{.at = model->card().origin.validated.last};
  ForecastOptions with_ranges = plain;
  with_ranges.levels = {80.0, 95.0};
  constexpr std::size_t kRuns = 1001;
  std::vector<double> without;
  std::vector<double> with;
  const auto microseconds = [&](const ForecastOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    session.forecast(rows, options);
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
        .count();
  };
  for (std::size_t run = 0; run < kRuns; ++run) {
    without.push_back(microseconds(plain));
    with.push_back(microseconds(with_ranges));
  }
  std::ranges::sort(without);
  std::ranges::sort(with);
  fmt::print("{}: a forecast takes {:.1f} us, with two ranges {:.1f} us\n", file,
             without[kRuns / 2], with[kRuns / 2]);
}

void run(const Options& options) {
  if (!options.cost.empty()) return time_forecasts(options.cost[0], options.cost[1]);
  std::filesystem::create_directories(options.out);
  fmt::print("| rows | band | promised | held | by step | width | interval score |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  for (const Dataset& dataset : kDatasets) {
    if (!options.only.empty() && std::ranges::count(options.only, dataset.name) == 0) continue;
    compare(dataset, options);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace pulsecast

int main(int argc, char** argv) {
  pulsecast::Options options;
  CLI::App app("Ranges of models on five files, beside the bands that everybody has");
  const auto data = app.add_option("--data", options.data, "the folder of the files");
  app.add_option("--out", options.out, "where models are kept");
  app.add_option("--only", options.only, "files by name, such as ETTh1");
  app.add_option("--epochs", options.epochs, "most epochs of a training");
  app.add_option("--epoch-steps", options.epoch_steps, "steps of an epoch");
  const auto cost =
      app.add_option("--cost", options.cost, "a model and rows: what ranges add to a forecast")
          ->expected(2);
  app.require_option(1, 0);
  CLI11_PARSE(app, argc, argv);
  if ((data->count() > 0) == (cost->count() > 0)) {
    std::fputs("bench_ranges: --data DIR or --cost MODEL ROWS\n", stderr);
    return 2;
  }
  try {
    pulsecast::run(options);
  } catch (const pulsecast::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return pulsecast::exit_code(error.kind());
  }
}
