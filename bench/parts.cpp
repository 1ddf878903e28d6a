// What each part of a search brings: averaged weights, a longer look-back, a mean over starts, a
// blend with closed forms.
//
// Every candidate that a search would have is trained to the end from several seeds, with no
// contest between them, so that one set of trainings says what each part is worth. What members
// miss by together, on validation and on test rows, is a line of JSON in --out: other ways to blend
// can be tried on it without training again. --report prints the lines as tables.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/paper/dataset.h"
#include "pulsecast/data/readers/read_table.h"
#include "pulsecast/data/repair/repair.h"
#include "pulsecast/search/blend.h"
#include "pulsecast/search/candidate.h"
#include "pulsecast/search/trial.h"
#include "pulsecast/train/completion.h"

namespace {

using namespace pulsecast;
using nlohmann::json;

struct Options {
  std::string data;
  std::string out;
  std::vector<std::string> files = {"ETTh1", "ETTh2"};
  int horizon = 96;
  std::string lookback;
  std::vector<std::int64_t> seeds = {2024, 2025, 2026};
  std::int64_t steps = 0;
  std::size_t threads = 0;
  bool report = false;
};

constexpr std::size_t kMostValues = 3 << 20;  // of a member's forecasts

// A dataset of the paper has its protocol; of another file the newest fifth is for the test.
struct File {
  std::string path;
  std::string split = "0.7,0.1,0.2";
  bool is_of_paper = false;
};

File file_of(const Options& options, const std::string& name) {
  File file;
  const Dataset* dataset = find_dataset(name);
  file.is_of_paper = dataset != nullptr;
  if (file.is_of_paper) file.split = dataset->name;
  const std::string base = file.is_of_paper ? std::string(dataset->file) : name + ".csv";
  for (const char* suffix : {".gz", ""}) {
    file.path = (std::filesystem::path(options.data) / (base + suffix)).string();
    if (std::filesystem::exists(file.path)) return file;
  }
  throw_error(ErrorKind::kInputOutput, options.data, "holds neither {0}.gz nor {0}", base);
}

Settings settings_of(const Options& options, const File& file) {
  Settings told;
  told.data.horizon = std::to_string(options.horizon);
  told.data.split = file.split;
  if (!options.lookback.empty()) told.data.lookback = options.lookback;
  if (file.is_of_paper) told.data.grid = Grid::kRows;
  told.data.fill = Fill::kLinear;
  told.training.calibration = 0.0;  // all of validation judges, as the protocol has it
  return train::complete(told);
}

// What a member misses by.
struct Member {
  std::string name;
  std::int64_t seed = 0;  // 0 of a closed form
  bool is_averaged = true;
  std::vector<float> validation;
  std::vector<float> test;
};

double mean_product(std::span<const float> a, std::span<const float> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum / static_cast<double>(a.size());
}

json products_of(const std::vector<Member>& members, std::vector<float> Member::*errors) {
  json rows = json::array();
  for (const Member& a : members) {
    json row = json::array();
    for (const Member& b : members) row.push_back(mean_product(a.*errors, b.*errors));
    rows.push_back(row);
  }
  return rows;
}

class Parts {
 public:
  Parts(const Options& options, const std::string& name, ThreadPool& pool)
      : options_(options), name_(name), pool_(pool) {}

  json measure() {
    const File file = file_of(options_, name_);
    const Settings settings = settings_of(options_, file);
    const Series series = repair(read_table(file.path, settings.data, pool_), settings.data).series;
    const train::Plan plan = train::make_plan(series, settings);
    const std::vector<search::Candidate> candidates = search::candidates_of(plan, settings);
    std::size_t longest = 0;
    for (const search::Candidate& each : candidates) {
      longest = std::max<std::size_t>(longest, std::stoul(*each.settings.data.lookback));
    }
    const train::Part training = train::part_of(plan, &Split::train, &Split::train);
    const train::Part validation = train::part_of(plan, &Split::validation, &Split::validation);
    const train::Part held = train::part_of(plan, &Split::test, &Split::test);
    const Scaler scaler = train::scaler_of(series, plan, training);
    const ScaledSeries rows = train::scaled_for(series, scaler, plan, longest, {nullptr, false});
    const Windows judged = train::windows_of(rows, plan, longest, validation, History::kReaches);
    const Windows tested = train::windows_of(rows, plan, longest, held, History::kReaches);
    const std::size_t most = kMostValues / (plan.shape.channels * plan.shape.horizon);
    Windows some = judged;
    some.thin(most);
    Windows scored = tested;
    scored.thin(most);
    search::Judge judge(some, plan.batch, pool_);
    search::Judge test(scored, plan.batch, pool_);
    const search::Ground ground{series, rows, training, &judge, &judged, pool_};
    for (const search::Candidate& candidate : candidates) add(candidate, ground, judge, test);
    json names = json::array();
    for (const Member& member : members_) {
      names.push_back(
          {{"name", member.name}, {"seed", member.seed}, {"averaged", member.is_averaged}});
    }
    return {{"file", name_},
            {"horizon", options_.horizon},
            {"windows", scored.size()},
            {"members", names},
            {"validation", products_of(members_, &Member::validation)},
            {"test", products_of(members_, &Member::test)}};
  }

 private:
  void add(const search::Candidate& candidate, const search::Ground& ground, search::Judge& judge,
           search::Judge& test) {
    constexpr double kNoLimit = std::numeric_limits<double>::infinity();
    const bool is_trained = candidate.kind == search::Candidate::Kind::kGradients;
    const std::vector<std::int64_t> once = {0};
    for (const std::int64_t seed : is_trained ? options_.seeds : once) {
      search::Trial trial(candidate, ground, seed);
      if (is_trained) {
        const std::int64_t steps = options_.steps > 0 ? options_.steps : trial.enough_steps();
        trial.learn({kNoLimit, steps, true}, [] { return false; });
      } else {
        trial.solve({});
      }
      const search::TrialState& state = trial.state();
      model::Pulse pulse(trial.plan().shape);
      const auto keep = [&](const std::vector<float>& weights, bool is_averaged) {
        std::ranges::copy(weights, pulse.parameters().weights().begin());
        Member member{candidate.name, seed, is_averaged, {}, {}};
        const double own = judge.measure(pulse, member.validation);
        const double error = test.measure(pulse, member.test);
        fmt::print(stderr, "{} {} {}{}: {} steps, {:.1f} s, validation {:.4f} test {:.4f}\n", name_,
                   candidate.name, seed, is_averaged ? "" : " (newest weights)", state.steps,
                   state.seconds, own, error);
        members_.push_back(std::move(member));
      };
      keep(state.best, true);
      if (is_trained) keep(state.weights, false);
    }
  }

  const Options& options_;
  std::string name_;
  ThreadPool& pool_;
  std::vector<Member> members_;
};

// ---- the report ----

class Table {
 public:
  explicit Table(const json& line) : line_(line) {
    for (const json& member : line.at("members")) {
      if (member.at("seed") != 0) seeds_.insert(member.at("seed").get<std::int64_t>());
    }
  }

  void print() {
    fmt::print(
        "\n### {}, H = {}\n\n| | test MSE | lowest - highest | validation MSE "
        "|\n|---|---|---|---|\n",
        line_.at("file").get<std::string>(), line_.at("horizon").get<int>());
    std::vector<std::string> names;
    for (const json& member : line_.at("members")) {
      const auto name = member.at("name").get<std::string>();
      if (std::ranges::count(names, name) == 0) names.push_back(name);
    }
    for (const std::string& name : names) {
      const bool is_trained = !alone(name, false).empty();
      if (!is_trained) {
        row(name, alone(name, true));
        continue;
      }
      row(name + ", newest weights", alone(name, false));
      row(name + ", averaged weights", alone(name, true));
      if (seeds_.size() > 1) {
        row(name + fmt::format(", mean of {} starts", seeds_.size()), {mean_of(name)});
      }
    }
    std::vector<std::vector<double>> of_a_seed;
    for (const std::int64_t seed : seeds_) of_a_seed.push_back(blend(seed));
    row("blend of all, one start each", of_a_seed);
    if (seeds_.size() > 1) {
      row(fmt::format("blend of all, {} starts each", seeds_.size()), {blend(0)});
    }
  }

 private:
  using Shares = std::vector<double>;

  std::size_t size() const { return line_.at("members").size(); }

  double error(const char* rows, const Shares& shares) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j < size(); ++j) {
        sum += shares[i] * shares[j] * line_.at(rows).at(i).at(j).get<double>();
      }
    }
    return sum;
  }

  std::vector<Shares> alone(const std::string& name, bool is_averaged) const {
    std::vector<Shares> found;
    for (std::size_t i = 0; i < size(); ++i) {
      const json& member = line_.at("members").at(i);
      if (member.at("name") != name || member.at("averaged") != is_averaged) continue;
      found.emplace_back(size(), 0.0).at(i) = 1.0;
    }
    return found;
  }

  Shares mean_of(const std::string& name) const {
    const std::vector<Shares> each = alone(name, true);
    Shares shares(size(), 0.0);
    for (const Shares& own : each) {
      for (std::size_t i = 0; i < size(); ++i) {
        shares[i] += own[i] / static_cast<double>(each.size());
      }
    }
    return shares;
  }

  // As a search finds them, over the averaged weights of one seed, or of all.
  Shares blend(std::int64_t seed) const {
    std::vector<std::size_t> allowed;
    for (std::size_t i = 0; i < size(); ++i) {
      const json& member = line_.at("members").at(i);
      const auto own = member.at("seed").get<std::int64_t>();
      if (member.at("averaged") && (own == 0 || seed == 0 || own == seed)) allowed.push_back(i);
    }
    std::vector<std::vector<double>> products;
    for (const std::size_t i : allowed) {
      std::vector<double>& own = products.emplace_back();
      own.reserve(allowed.size());
      for (const std::size_t j : allowed) {
        own.push_back(line_.at("validation").at(i).at(j).get<double>());
      }
    }
    const std::vector<double> found = search::blend_of(products, search::kLeastShare);
    Shares shares(size(), 0.0);
    for (std::size_t i = 0; i < allowed.size(); ++i) shares[allowed[i]] = found[i];
    return shares;
  }

  void row(const std::string& name, const std::vector<Shares>& each) const {
    double sum = 0.0, validation = 0.0;
    double low = std::numeric_limits<double>::infinity(), high = 0.0;
    for (const Shares& shares : each) {
      const double own = error("test", shares);
      sum += own;
      validation += error("validation", shares);
      low = std::min(low, own);
      high = std::max(high, own);
    }
    const auto n = static_cast<double>(each.size());
    fmt::print("| {} | {:.4f} | {} | {:.4f} |\n", name, sum / n,
               each.size() > 1 ? fmt::format("{:.4f} - {:.4f}", low, high) : "", validation / n);
  }

  const json& line_;
  std::set<std::int64_t> seeds_;
};

int run(const Options& options) {
  if (options.report) {
    std::ifstream stream(options.out);
    for (std::string text; std::getline(stream, text);) {
      const json line = json::parse(text, nullptr, false);
      if (!line.is_discarded()) Table(line).print();
    }
    return 0;
  }
  ThreadPool pool({.threads = options.threads, .keep_workers_off_caller = true});
  for (const std::string& name : options.files) {
    const json line = Parts(options, name, pool).measure();
    std::ofstream(options.out, std::ios::app) << line.dump() << std::endl;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  std::string peer;
  CLI::App app("What averaged weights, look-back, starts and the blend of a search bring");
  app.add_option("--data", options.data, "folder with ETTh1.csv.gz and so on");
  app.add_option("--out", options.out, "file of results, a line of JSON a file")->required();
  app.add_option("--files", options.files, "datasets of the paper, or NAME of NAME.csv.gz")
      ->delimiter(',');
  app.add_option("--horizon", options.horizon);
  app.add_option("--lookback", options.lookback, "of every candidate; those of a search otherwise");
  app.add_option("--seeds", options.seeds)->delimiter(',');
  app.add_option("--steps", options.steps, "of every training; as many as teach otherwise");
  app.add_option("--threads", options.threads);
  app.add_option("--peer", peer, "not used here; every benchmark is given it");
  app.add_flag("--report", options.report, "print the results of --out as Markdown");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const Error& error) {
    fmt::print(stderr, "parts: {}\n", error.what());
    return exit_code(error.kind());
  }
}
