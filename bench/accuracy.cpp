// The paper's numbers: trains recipes on the real files and scores them on the test rows, once.
//
// Every run is a line of JSON in --out; runs that are there already are not done again, so the
// program may be stopped and started. --report prints what the file holds, beside the paper.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/paper_results.h"
#include "pulsecast/base/error.h"
#include "pulsecast/data/dataset.h"
#include "pulsecast/data/readers/read_table.h"
#include "pulsecast/data/repair/repair.h"
#include "pulsecast/data/windows.h"
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
    {"defaults", "nothing given but look-back 96 and the horizon", [](Settings&) {}, false},
};

struct Options {
  std::string data;
  std::string out;
  std::vector<std::string> datasets = {"ETTh1", "ETTh2", "ETTm1", "ETTm2", "Weather"};
  std::vector<int> horizons = {96, 192, 336, 720};
  std::vector<std::int64_t> seeds = {2024};
  std::vector<std::string> variants = {"recipe"};
  std::size_t threads = 0;
  bool report = false;
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

Settings settings_of(const Variant& variant, const Dataset& dataset, int horizon,
                     std::int64_t seed) {
  Settings settings;
  if (variant.has_recipe) {
    apply_recipe(find_recipe(dataset.name, horizon), settings);
  } else {
    settings.data.lookback = "96";
    settings.data.horizon = std::to_string(horizon);
    settings.data.split = dataset.name;
    settings.data.grid = Grid::kRows;  // weather.csv repeats a stamp and has a gap
  }
  settings.training.seed = seed;
  variant.change(settings);
  return settings;
}

json run(const Options& options, const Variant& variant, const Dataset& dataset, int horizon,
         std::int64_t seed, ThreadPool& pool) {
  const Settings settings = settings_of(variant, dataset, horizon, seed);
  const Series series =
      repair(read_table(file_of(options.data, dataset).string(), settings.data, pool),
             settings.data)
          .series;
  train::Fitted fitted = train::fit(series, settings, false, {}, pool);
  const train::Plan& plan = fitted.plan;
  const ScaledSeries scaled(series, fitted.scaler, plan.calendar);
  const Windows test(scaled, plan.shape.lookback, plan.shape.horizon, plan.split.test,
                     History::kReaches);
  const auto errors = train::Validation(*fitted.pulse, test, plan.batch, pool).measure();
  json losses = json::array(), validation = json::array();
  for (const train::EpochRecord& record : fitted.result.history) {
    losses.push_back(record.training_loss);
    validation.push_back(record.validation_mse);
  }
  return {{"variant", variant.name},
          {"dataset", dataset.name},
          {"horizon", horizon},
          {"seed", seed},
          {"mse", errors.squared},
          {"mae", errors.absolute},
          {"windows", test.size()},
          {"weights", fitted.pulse->parameters().count()},
          {"epochs", fitted.result.history.size()},
          {"best_epoch", fitted.result.best_epoch},
          {"seconds", fitted.seconds},
          {"training_loss", losses},
          {"validation_mse", validation},
          {"data_sha256", dataset.sha256}};
}

struct Spread {
  double mean = 0.0;
  double low = INFINITY;
  double high = -INFINITY;
};

Spread spread_of(const std::vector<json>& runs, const char* field) {
  Spread spread;
  for (const json& each : runs) {
    const double value = each.at(field).get<double>();
    spread.mean += value / static_cast<double>(runs.size());
    spread.low = std::min(spread.low, value);
    spread.high = std::max(spread.high, value);
  }
  return spread;
}

void report(const std::vector<json>& lines) {
  for (const Variant& variant : kVariants) {
    double sum = 0.0, worst = 0.0;
    int cells = 0;
    std::map<std::string, std::array<double, 5>> sums;  // mse, mae, the paper's two, cells
    for (const bench::PaperCell& cell : bench::kPaperCells) {
      std::vector<json> runs;
      for (const json& line : lines) {
        if (line["variant"] == variant.name && line["dataset"] == cell.dataset &&
            line["horizon"] == cell.horizon) {
          runs.push_back(line);
        }
      }
      if (runs.empty()) continue;
      if (cells++ == 0) {
        fmt::print("\n### {}: {}\n\n", variant.name, variant.meaning);
        fmt::print(
            "| dataset | H | seeds | MSE | lowest - highest | MAE | paper MSE / MAE | ratio of "
            "MSE | epochs (best) | seconds |\n|---|---|---|---|---|---|---|---|---|---|\n");
      }
      const Spread mse = spread_of(runs, "mse"), mae = spread_of(runs, "mae");
      const double ratio = mse.mean / cell.mse;
      sum += ratio;
      worst = std::max(worst, ratio);
      auto& dataset = sums[std::string(cell.dataset)];
      const std::array<double, 5> values = {mse.mean, mae.mean, cell.mse, cell.mae, 1.0};
      for (std::size_t i = 0; i < values.size(); ++i) dataset[i] += values[i];
      fmt::print(
          "| {} | {} | {} | {:.4f} | {:.4f} - {:.4f} | {:.4f} | {:.3f} / {:.3f} | {:.3f} | "
          "{:.1f} ({:.1f}) | {:.1f} |\n",
          cell.dataset, cell.horizon, runs.size(), mse.mean, mse.low, mse.high, mae.mean, cell.mse,
          cell.mae, ratio, spread_of(runs, "epochs").mean, spread_of(runs, "best_epoch").mean,
          spread_of(runs, "seconds").mean);
    }
    if (cells == 0) continue;
    fmt::print("\nMean ratio to the paper's MSE over {} cells: {:.4f}; highest {:.4f}.\n", cells,
               sum / cells, worst);
    for (const auto& [dataset, total] : sums) {
      fmt::print("{}, mean of {} horizons: MSE {:.4f}, MAE {:.4f} (paper {:.4f}, {:.4f}).\n",
                 dataset, total[4], total[0] / total[4], total[1] / total[4], total[2] / total[4],
                 total[3] / total[4]);
    }
  }
}

int run_all(const Options& options) {
  const std::vector<json> before = read_lines(options.out);
  if (options.report) {
    report(before);
    return 0;
  }
  std::set<std::string> done;
  for (const json& line : before) done.insert(key_of(line));
  ThreadPool pool(options.threads);
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
  app.add_option("--threads", options.threads);
  app.add_option("--peer", peer, "not used here; every benchmark is given it");
  app.add_flag("--report", options.report, "print the results of --out as Markdown");
  CLI11_PARSE(app, argc, argv);
  try {
    return run_all(options);
  } catch (const Error& error) {
    fmt::print(stderr, "accuracy: {}\n", error.what());
    return exit_code(error.kind());
  }
}
