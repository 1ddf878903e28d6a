// The paper's numbers: trains recipes on the real files and scores them on the test rows, once.
//
// Every run is a line of JSON in --out; runs that are there already are not done again, so the
// program may be stopped and started. --report prints what the file holds, beside the paper
// (bench/accuracy_report.h).

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/accuracy_helps.h"
#include "bench/accuracy_report.h"
#include "bench/paper_results.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/paper/dataset.h"
#include "pulsecast/data/readers/read_table.h"
#include "pulsecast/data/repair/repair.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/evaluate/evaluation.h"
#include "pulsecast/search/search.h"
#include "pulsecast/train/completion.h"
#include "pulsecast/train/fit.h"
#include "pulsecast/train/validation.h"

namespace {

using namespace pulsecast;
using nlohmann::json;

struct Variant {
  const char* name;
  const char* meaning;
  void (*change)(Settings&);
  bool has_recipe = true;
  bool is_searched = false;  // within Options::budget
};

constexpr Variant kVariants[] = {
    {"recipe", "the paper's settings", [](Settings&) {}},
    {"calendar", "the paper's settings, codebook in calendar order",
     [](Settings& s) { s.model.codebook_order = CodebookOrder::kCalendar; }},
    {"no-anchor", "without phase anchor", [](Settings& s) { s.model.anchor = false; }},
    {"no-router", "without phase router", [](Settings& s) { s.model.router = false; }},
    {"no-mixup", "without mixup", [](Settings& s) { s.training.mixup = Mixup::kNone; }},
    {"plain-mixup", "without statistic-aware mixup",
     [](Settings& s) { s.training.mixup = Mixup::kPlain; }},
    {"mse-loss", "with the mean squared error in place of the frequency loss",
     [](Settings& s) { s.training.loss = LossKind::kSquared; }},
    {"defaults", "nothing given but look-back 96 and the horizon", [](Settings&) {}, false},
    {"search-96", "a search within the budget, look-back 96", [](Settings&) {}, false, true},
    {"search", "a search within the budget", [](Settings& s) { s.data.lookback.reset(); }, false,
     true},
};

struct Options {
  std::string data;
  std::string out;
  std::string twin;
  std::vector<std::string> datasets = {"ETTh1", "ETTh2", "ETTm1", "ETTm2", "Weather"};
  std::vector<int> horizons = {96, 192, 336, 720};
  std::vector<std::int64_t> seeds = {2024};
  std::vector<std::string> variants = {"recipe"};
  std::string budget = "auto";
  std::size_t threads = 0;
  bool report = false;
  bool helps = false;
};

const Variant& find_variant(const std::string& name) {
  for (const Variant& variant : kVariants) {
    if (name == variant.name) return variant;
  }
  std::string names;
  for (const Variant& variant : kVariants) names += std::string(" ") + variant.name;
  throw Error(ErrorKind::kUsage, "there is no variant '" + name + "'; there are:" + names);
}

std::string key_of(const json& line) {
  return fmt::format("{} {} {} {}", line.at("variant").get<std::string>(),
                     line.at("dataset").get<std::string>(), line.at("horizon").get<int>(),
                     line.at("seed").get<std::int64_t>());
}

std::vector<json> read_lines(const std::string& path) {
  std::vector<json> lines;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    const json parsed = json::parse(line, nullptr, false);
    if (!parsed.is_discarded()) lines.push_back(parsed);  // a killed run may leave half a line
  }
  return lines;
}

std::filesystem::path file_of(const std::string& data, const Dataset& dataset) {
  for (const char* suffix : {".gz", ""}) {
    const auto path = std::filesystem::path(data) / (std::string(dataset.file) + suffix);
    if (std::filesystem::exists(path)) return path;
  }
  throw_error(ErrorKind::kInputOutput, data, "holds neither {0} nor {0}.gz", dataset.file);
}

Settings settings_of(const Variant& variant, const Dataset& dataset, int horizon, std::int64_t seed,
                     const std::string& budget) {
  Settings told;
  told.data.horizon = std::to_string(horizon);
  told.training.seed = seed;
  if (variant.has_recipe) {
    told.training.recipe = dataset.name;
  } else {
    told.data.lookback = "96";
    told.data.split = dataset.name;
    told.data.grid = Grid::kRows;  // weather.csv repeats a stamp and has a gap
  }
  variant.change(told);
  told.training.budget = variant.is_searched ? budget : "none";
  // The protocol validates on every row of that part, as recipes do.
  if (variant.is_searched) told.training.calibration = 0.0;
  return train::complete(told);
}

Series read_series(const Options& options, const Dataset& dataset, const Settings& settings,
                   ThreadPool& pool) {
  const std::string path = file_of(options.data, dataset).string();
  return repair(read_table(path, settings.data, pool), settings.data).series;
}

json run(const Options& options, const Variant& variant, const Dataset& dataset, int horizon,
         std::int64_t seed, ThreadPool& pool) {
  const Settings settings = settings_of(variant, dataset, horizon, seed, options.budget);
  const Series series = read_series(options, dataset, settings, pool);
  std::optional<search::Found> found = search::find(series, settings, false, {}, pool);
  const train::Fitted fitted =
      found ? std::move(found->fitted) : train::fit(series, settings, false, {}, pool);
  const train::Plan& plan = fitted.plan;
  const ScaledSeries scaled(series, fitted.scaler, plan.calendar);
  const Windows test(scaled, plan.shape.lookback, plan.shape.horizon, plan.split.test,
                     History::kReaches);
  const auto errors = train::Validation(fitted.ensemble, test, plan.batch, pool).measure();
  json losses = json::array(), validation = json::array();
  for (const train::EpochRecord& record : fitted.result.history) {
    losses.push_back(record.training_loss);
    validation.push_back(record.validation_mse);
  }
  return {{"variant", variant.name},
          {"dataset", dataset.name},
          {"horizon", horizon},
          {"seed", seed},
          {"mse", errors.mse},
          {"mae", errors.mae},
          {"windows", test.size()},
          {"weights", fitted.ensemble.learned_count()},
          {"epochs", fitted.result.history.size()},
          {"best_epoch", fitted.result.best_epoch},
          {"seconds", fitted.seconds},
          {"training_loss", losses},
          {"validation_mse", validation},
          {"data_sha256", dataset.sha256},
          {"budget", plan.settings.training.budget.value()},
          {"model", fitted.ensemble.title()}};
}

// What repeating the last day scores on the test rows, for every cell that the defaults have run.
std::map<std::pair<std::string, int>, double> seasonal_naive_mse(const Options& options,
                                                                 const bench::Runs& runs) {
  std::map<std::pair<std::string, int>, double> found;
  ThreadPool pool({.threads = options.threads, .keep_workers_off_caller = true});
  for (const bench::PaperCell& cell : bench::kPaperCells) {
    if (runs.of("defaults", cell.dataset, cell.horizon).empty()) continue;
    const Dataset& dataset = *find_dataset(cell.dataset);
    const Settings settings =
        settings_of(find_variant("recipe"), dataset, cell.horizon, 2024, options.budget);
    const Series series = read_series(options, dataset, settings, pool);
    const train::Plan plan = train::make_plan(series, settings);
    const Scaler scaler = Scaler::fit(series, plan.split.train);
    const ScaledSeries scaled(series, scaler, plan.calendar);
    const Windows test(scaled, plan.shape.lookback, plan.shape.horizon, plan.split.test,
                       History::kReaches);
    const auto leave_unfilled = [](const Batch&, Forecast&) {};
    const Evaluation evaluation = evaluate(scaled, test, scaler, plan.split.train,
                                           seasons_of(series.step), leave_unfilled, pool);
    const auto day = std::ranges::find(evaluation.baselines, "seasonal naive (day)", &Scored::name);
    if (day == evaluation.baselines.end()) continue;
    found[{std::string(cell.dataset), cell.horizon}] = day->scaled.overall.mse;
  }
  return found;
}

void print_report(const Options& options) {
  bench::ReportInputs inputs;
  for (const Variant& variant : kVariants)
    inputs.variants.push_back({variant.name, variant.meaning});
  for (const json& line : read_lines(options.out)) inputs.runs.push_back(bench::run_of(line));
  for (const json& line : read_lines(options.twin)) {
    if (line.value("order", "reference") == "reference") {
      inputs.runs.push_back(bench::twin_run_of(line));
    }
  }
  if (!options.data.empty()) {
    inputs.seasonal_naive_mse = seasonal_naive_mse(options, bench::Runs(inputs.runs));
  }
  fmt::print("{}", bench::report_text(inputs));
}

void print_helps(const Options& options) {
  std::vector<bench::TrainedRun> runs;
  for (const json& line : read_lines(options.out)) runs.push_back(bench::run_of(line));
  ThreadPool pool({.threads = options.threads, .keep_workers_off_caller = true});
  const auto measure = [&](std::string_view name, int horizon) {
    const Dataset& dataset = *find_dataset(name);
    const Settings settings =
        settings_of(find_variant("recipe"), dataset, horizon, 2024, options.budget);
    const Series series = read_series(options, dataset, settings, pool);
    return measure_mismatch(series, mismatch_rows(dataset, series.rows()), 96,
                            static_cast<std::size_t>(horizon), pool);
  };
  fmt::print("{}", bench::helps_page(bench::Runs(runs), measure));
}

int run_all(const Options& options) {
  if (options.helps) {
    print_helps(options);
    return 0;
  }
  if (options.report) {
    print_report(options);
    return 0;
  }
  std::set<std::string> done;
  for (const json& line : read_lines(options.out)) done.insert(key_of(line));
  ThreadPool pool({.threads = options.threads, .keep_workers_off_caller = true});
  for (const std::string& variant_name : options.variants) {
    const Variant& variant = find_variant(variant_name);
    for (const std::int64_t seed : options.seeds) {
      for (const std::string& dataset_name : options.datasets) {
        const Dataset* dataset = find_dataset(dataset_name);
        if (dataset == nullptr) throw Error(ErrorKind::kUsage, "no dataset " + dataset_name);
        for (const int horizon : options.horizons) {
          const std::string key =
              fmt::format("{} {} {} {}", variant.name, dataset->name, horizon, seed);
          if (done.contains(key)) continue;
          const json line = run(options, variant, *dataset, horizon, seed, pool);
          std::ofstream(options.out, std::ios::app) << line.dump() << std::endl;
          fmt::print("{}: MSE {:.4f} MAE {:.4f}, {} epochs, {:.1f} s\n", key,
                     line["mse"].get<double>(), line["mae"].get<double>(),
                     line["epochs"].get<int>(), line["seconds"].get<double>());
          std::fflush(stdout);
        }
      }
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  std::string peer;
  CLI::App app("Trains the paper's recipes and scores them on the test rows");
  app.add_option("--data", options.data, "folder with ETTh1.csv.gz and so on");
  app.add_option("--out", options.out, "file of results, a line of JSON a run")->required();
  app.add_option("--datasets", options.datasets)->delimiter(',');
  app.add_option("--horizons", options.horizons)->delimiter(',');
  app.add_option("--seeds", options.seeds)->delimiter(',');
  app.add_option("--variants", options.variants, "recipe, calendar, defaults, no-anchor, ...")
      ->delimiter(',');
  app.add_option("--budget", options.budget, "of search and search-96: 30s, 2000steps, auto");
  app.add_option("--threads", options.threads);
  app.add_option("--peer", peer, "not used here; every benchmark is given it");
  app.add_flag("--report", options.report,
               "print the results of --out as Markdown; with --data seasonal naive beside them");
  app.add_flag("--helps", options.helps,
               "print what helps when, from the results of --out and the files of --data");
  app.add_option("--twin", options.twin,
                 "results of tools/train_twin.py to report beside ours, a line of JSON a run");
  CLI11_PARSE(app, argc, argv);
  try {
    return run_all(options);
  } catch (const Error& error) {
    fmt::print(stderr, "accuracy: {}\n", error.what());
    return exit_code(error.kind());
  }
}
