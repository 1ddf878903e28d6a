// PULSE beside PyTorch: the same model, the same shapes, two threads each, in turn in one run.
//
//   ./dev bench peers                          everything but the nightly job; about twenty minutes
//   ./dev bench peers --only step --cases "ETTh1 96"
//   ./dev bench peers --only backbones --cases "cfpt ETTh1 96,msgnet ETTh1 96"
//   ./dev bench peers --only nightly           26280 hourly rows of 300 channels, beside LightGBM
//   ./dev bench peers --only scaling           ours alone: rows, channels, batch, look-back,
//   horizon
//
// Each round times ours, then each peer; ratios are of one round, and medians are over rounds. A
// peer that is missing or cannot do a case is said so in its place.

#include <fmt/format.h>

#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "bench/child.h"
#include "bench/comparison.h"
#include "bench/own_speed.h"
#include "bench/peer.h"
#include "bench/peer_case.h"
#include "bench/report.h"
#include "bench/timing.h"
#include "pulsecast/data/synthetic/synthetic.h"
#include "pulsecast/forecaster.h"
#include "pulsecast/settings/model_declaration.h"

namespace {

using namespace pulsecast;
using namespace pulsecast::bench;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::size_t kThreads = 2;

struct Options {
  std::vector<std::string> only = {"step",  "backbones", "epoch",    "evaluation", "window",
                                   "start", "memory",    "roofline", "scaling"};
  std::vector<std::string> cases;
  std::string peer;
  std::string nightly_peer;
  std::vector<std::string> ways = {"eager", "shared", "compiled", "onnx"};
  int rounds = 7;
  bool json = false;
  std::string memory_of;
};

double median(std::vector<double> samples) { return summarise(std::move(samples)).median; }

// One Python a way of running the model, so that each keeps what it has prepared.
class Peers {
 public:
  explicit Peers(std::string python) : python_(std::move(python)) {}

  // Seconds of each repeat, or the problem.
  std::pair<std::vector<double>, std::string> measure(const Json& description,
                                                      const std::string& measure,
                                                      const std::string& as, int repeats) {
    auto [place, is_new] = peers_.try_emplace(as);
    if (is_new) place->second = std::make_unique<Peer>(python_, "torch_pulse.py");
    Peer& peer = *place->second;
    if (!peer.available()) return {{}, peer.description()};
    const auto answer = peer.ask(
        Json{{"case", description}, {"measure", measure}, {"as", as}, {"repeats", repeats}}.dump());
    if (!answer) return {{}, "the peer has stopped"};
    const Json json = Json::parse(*answer, nullptr, false);
    if (!json.is_object()) return {{}, "the peer answered '" + *answer + "'"};
    if (json.contains("problem")) return {{}, json["problem"].get<std::string>()};
    return {json.at("seconds").get<std::vector<double>>(), ""};
  }

  void end() { peers_.clear(); }
  std::string description() {
    auto [place, is_new] = peers_.try_emplace("eager");
    if (is_new) place->second = std::make_unique<Peer>(python_, "torch_pulse.py");
    return place->second->description();
  }

 private:
  std::string python_;
  std::map<std::string, std::unique_ptr<Peer>> peers_;
};

// Enough repeats that a round is longer than what disturbs it.
int repeats_for(double seconds) { return std::max(1, static_cast<int>(0.3 / seconds)); }

Measured compare(PeerCase& ours, const std::string& measure, const std::function<void()>& work,
                 const std::vector<std::string>& able, Peers& peers, const Options& options) {
  std::vector<std::string> ways;
  for (const std::string& as : able) {
    if (std::ranges::find(options.ways, as) != options.ways.end()) ways.push_back(as);
  }
  const Json description = ours.description();
  Measured result{
      .measure = measure, .name = description["name"], .ours = {}, .others = {}, .bar = {}};
  work();
  const int our_repeats = repeats_for(seconds_of(work));
  std::vector<int> their_repeats;
  for (const std::string& as : ways) {
    const auto [seconds, problem] = peers.measure(description, measure, as, 1);
    result.others.push_back({as, {}, {}, problem});
    their_repeats.push_back(problem.empty() ? repeats_for(seconds[0]) : 0);
  }
  std::vector<double> our_rounds;
  std::vector<std::vector<double>> their_rounds(ways.size());
  for (int round = 0; round < options.rounds; ++round) {
    std::vector<double> samples;
    for (int i = 0; i < our_repeats; ++i) samples.push_back(seconds_of(work));
    our_rounds.push_back(median(samples));
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (their_repeats[i] == 0) continue;
      const auto [seconds, problem] =
          peers.measure(description, measure, ways[i], their_repeats[i]);
      if (problem.empty()) their_rounds[i].push_back(median(seconds));
    }
  }
  result.ours = summarise(our_rounds);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (their_rounds[i].size() != our_rounds.size()) continue;
    result.others[i].seconds = summarise(their_rounds[i]);
    result.others[i].ratio = summarise_ratios(their_rounds[i], our_rounds);
  }
  return result;
}

struct StepCase {
  CaseName name;
  const char* bar;
};
const std::vector<StepCase> kStepCases = {
    {{"ETTh1", 96}, "7x eager"},    {{"ETTh1", 720}, "7x eager"},
    {{"ETTm1", 96}, "5x eager"},    {{"Weather", 96}, "7x eager"},
    {{"Weather", 720}, "5x eager"}, {{"Electricity", 96}, "5x eager"},
    {{"Traffic", 96}, "5x eager"}};

bool is_wanted(const Options& options, const std::string& measure, const CaseName& name) {
  const auto has = [](const std::vector<std::string>& list, const std::string& word) {
    return std::ranges::find(list, word) != list.end();
  };
  return has(options.only, measure) && (options.cases.empty() || has(options.cases, name.text()));
}

std::vector<Measured> measure_steps(const Options& options, Peers& peers, ThreadPool& pool) {
  std::vector<Measured> results;
  for (const StepCase& one : kStepCases) {
    if (!is_wanted(options, "step", one.name)) continue;
    PeerCase ours(one.name, pool);
    results.push_back(compare(
        ours, "step", [&] { ours.step(); }, {"eager", "shared", "compiled"}, peers, options));
    results.back().bar = one.bar;
  }
  return results;
}

struct BackboneCase {
  CaseName name;
  const char* bar;
};

// Every backbone as published, without PULSE, on ETTh1; and what of them is published otherwise
// too: Crossformer is small on Weather, MSGNet has the periods of the batch, which our default
// does without.
std::vector<BackboneCase> backbone_cases() {
  constexpr const char* kBar = "2.5x eager";
  constexpr const char* kLaterBar = "1.5x eager";
  std::vector<BackboneCase> cases;
  for (const auto& backbone : kChoices<BackboneKind>) {
    if (backbone.value == BackboneKind::kMlp) continue;  // PULSE's own, measured with it
    const bool is_later = backbone.value == BackboneKind::kCfpt ||
                          backbone.value == BackboneKind::kMsgNet ||
                          backbone.value == BackboneKind::kCrossformer;
    cases.push_back({{.dataset = "ETTh1", .horizon = 96, .alone = backbone.value},
                     is_later ? kLaterBar : kBar});
  }
  cases.push_back({{.dataset = "ETTh1",
                    .horizon = 96,
                    .alone = BackboneKind::kMsgNet,
                    .periods = PeriodSource::kBatch},
                   kLaterBar});
  cases.push_back(
      {{.dataset = "Weather", .horizon = 96, .alone = BackboneKind::kCrossformer}, kLaterBar});
  return cases;
}

std::vector<Measured> measure_backbones(const Options& options, Peers& peers, ThreadPool& pool) {
  std::vector<Measured> results;
  for (const BackboneCase& one : backbone_cases()) {
    if (!is_wanted(options, "backbones", one.name)) continue;
    PeerCase ours(one.name, pool);
    results.push_back(compare(
        ours, "step", [&] { ours.step(); }, {"eager", "compiled"}, peers, options));
    results.back().bar = one.bar;
  }
  return results;
}

std::vector<Measured> measure_passes(const Options& options, Peers& peers, ThreadPool& pool) {
  std::vector<Measured> results;
  const CaseName hourly{"ETTh1", 96};
  const CaseName quarters{"ETTm1", 96};
  if (is_wanted(options, "epoch", quarters)) {
    PeerCase ours(quarters, pool);
    results.push_back(compare(
        ours, "epoch", [&] { ours.epoch(); }, {"eager", "shared"}, peers, options));
    results.back().bar = "5x eager";
  }
  if (is_wanted(options, "evaluation", quarters)) {
    PeerCase ours(quarters, pool);
    results.push_back(compare(
        ours, "evaluation", [&] { ours.evaluation(); }, {"eager", "shared"}, peers, options));
    results.back().bar = "6x eager";
  }
  if (is_wanted(options, "window", hourly)) {
    PeerCase ours(hourly, pool);
    results.push_back(compare(
        ours, "window", [&] { ours.forecast_window(0); }, {"eager", "compiled", "onnx"}, peers,
        options));
    results.back().bar = "15x eager, 10x ONNX Runtime";
    results.back().unit = "us";
  }
  return results;
}

// p99 of single windows, which medians of rounds hide.
std::string window_tail(ThreadPool& pool) {
  PeerCase ours({"ETTh1", 96}, pool);
  std::vector<double> samples;
  for (std::size_t i = 0; i < 5000; ++i) {
    samples.push_back(seconds_of([&] { ours.forecast_window(i); }));
  }
  std::ranges::sort(samples);
  return fmt::format("one window, ours, 5000 calls: p50 {:.0f} us, p99 {:.0f} us",
                     samples[2500] * 1e6, samples[4950] * 1e6);
}

fs::path scratch_folder() {
  const fs::path folder = fs::temp_directory_path() / fmt::format("pulsecast_peers_{}", ::getpid());
  fs::create_directories(folder);
  return folder;
}

void write_rows(const SyntheticSettings& settings, const fs::path& path) {
  std::ofstream file(path, std::ios::binary);
  write_csv(Synthetic(settings), 3, [&](std::string_view text) { file << text; });
}

std::string script(const char* name) { return std::string(PULSECAST_PEERS_DIR) + "/" + name; }

Measured compare_commands(const std::string& measure, const std::string& name,
                          const std::vector<std::string>& ours,
                          const std::vector<std::string>& theirs, int rounds) {
  std::vector<double> our_rounds;
  std::vector<double> their_rounds;
  std::string problem = theirs.empty() ? "no peer: run './dev peers' once" : "";
  for (int round = 0; round < rounds; ++round) {
    const ChildRun own = run_child(ours);
    if (!own.succeeded) throw Error(ErrorKind::kInputOutput, ours[0] + " " + ours[1] + " failed");
    our_rounds.push_back(own.seconds);
    if (!problem.empty()) continue;
    const ChildRun other = run_child(theirs);
    if (!other.succeeded) problem = "the peer failed";
    their_rounds.push_back(other.seconds);
  }
  Measured result{
      .measure = measure, .name = name, .ours = summarise(our_rounds), .others = {}, .bar = {}};
  Other other{"eager", {}, {}, problem};
  if (problem.empty()) {
    other.seconds = summarise(their_rounds);
    other.ratio = summarise_ratios(their_rounds, our_rounds);
  }
  result.others.push_back(other);
  return result;
}

// From the start of a process to a forecast on disk: a model and a file of rows are there.
Measured measure_start(const Options& options, ThreadPool& pool) {
  const fs::path folder = scratch_folder();
  const CaseName name{"ETTh1", 96};
  SyntheticSettings made;
  made.rows = 17420;
  made.channels = 7;
  write_rows(made, folder / "rows.csv");
  Settings settings = settings_of(name);
  settings.training.epochs = 1;
  fit(Observations(series_of(name)), settings)->save(folder / "ours.model");
  std::vector<std::string> theirs;
  if (!options.peer.empty()) {
    run_child({options.peer, script("torch_forecast.py"), "--make",
               PeerCase(name, pool).description().dump(), folder / "theirs.pt"});
    theirs = {options.peer, script("torch_forecast.py"), folder / "theirs.pt", folder / "rows.csv",
              folder / "theirs.csv"};
  }
  Measured result = compare_commands("start", name.text(),
                                     {PULSECAST_PROGRAM, "forecast", folder / "ours.model",
                                      folder / "rows.csv", "--quiet", "--out", folder / "ours.csv"},
                                     theirs, options.rounds);
  result.bar = "20x eager";
  fs::remove_all(folder);
  return result;
}

Measured measure_memory(const CaseName& name, const Options& options, ThreadPool& pool) {
  const Json description = PeerCase(name, pool).description();
  const std::string self = fs::read_symlink("/proc/self/exe");
  Measured result{.measure = "memory",
                  .name = name.text(),
                  .ours = {},
                  .others = {},
                  .bar = "at most a third of eager",
                  .unit = "MB"};
  const double ours = std::stod(run_child({self, "--memory-of", name.text()}).output);
  result.ours = {ours, ours, ours};
  Other other{"eager", {}, {}, options.peer.empty() ? "no peer: run './dev peers' once" : ""};
  if (!options.peer.empty()) {
    const double theirs = std::stod(
        run_child({options.peer, script("torch_pulse.py"), "--memory", description.dump(), "eager"})
            .output);
    other.seconds = Statistic{theirs, theirs, theirs};
    other.ratio = Statistic{theirs / ours, theirs / ours, theirs / ours};
  }
  result.others.push_back(other);
  return result;
}

// The peak of a process that trains some steps: what --memory-of runs.
void print_memory(const std::string& text) {
  for (const StepCase& one : kStepCases) {
    if (one.name.text() != text) continue;
    ThreadPool pool({.threads = kThreads, .keep_workers_off_caller = true});
    PeerCase ours(one.name, pool);
    for (int i = 0; i < 20; ++i) ours.step();
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    fmt::print("{}\n", usage.ru_maxrss * 1024);
  }
}

// A user's night: read 26280 hourly rows of 300 channels, train, forecast 96 steps to disk.
Measured measure_nightly(const Options& options) {
  const fs::path folder = scratch_folder();
  SyntheticSettings made;
  made.rows = 26280;
  made.channels = 300;
  made.noise = 0.2;
  write_rows(made, folder / "rows.csv");
  const std::string command = fmt::format(
      "{0} train {1}/rows.csv --horizon 96 --quiet --out {1}/ours.model >/dev/null && "
      "{0} forecast {1}/ours.model {1}/rows.csv --quiet --out {1}/ours.csv",
      PULSECAST_PROGRAM, folder.string());
  std::vector<std::string> theirs;
  if (!options.nightly_peer.empty()) {
    theirs = {options.nightly_peer, script("lightgbm_nightly.py"), folder / "rows.csv",
              folder / "theirs.csv"};
  }
  Measured result = compare_commands("nightly", "26280 x 300", {"sh", "-c", command}, theirs, 1);
  result.others[0].as = "mlforecast + LightGBM";
  result.unit = "s";
  fs::remove_all(folder);
  return result;
}

int run(const Options& options) {
  ThreadPool pool({.threads = kThreads, .keep_workers_off_caller = true});
  Peers peers(options.peer);
  const auto wants = [&](const char* measure) {
    return std::ranges::find(options.only, measure) != options.only.end();
  };
  std::vector<Measured> results = measure_steps(options, peers, pool);
  for (Measured& one : measure_backbones(options, peers, pool)) results.push_back(std::move(one));
  for (Measured& one : measure_passes(options, peers, pool)) results.push_back(std::move(one));
  const std::string peer = peers.description();
  peers.end();
  if (wants("start")) results.push_back(measure_start(options, pool));
  if (wants("memory")) {
    for (const CaseName& name : {CaseName{"ETTh1", 96}, CaseName{"ETTm1", 96},
                                 CaseName{"ETTh1", 720}, CaseName{"Weather", 96}}) {
      results.push_back(measure_memory(name, options, pool));
    }
  }
  if (wants("nightly")) results.push_back(measure_nightly(options));
  if (options.json) {
    print_as_json(results, peer);
    return 0;
  }
  print_tables(results, peer);
  if (wants("window")) fmt::print("\n{}\n", window_tail(pool));
  if (wants("roofline")) {
    std::vector<CaseName> cases;
    for (const StepCase& one : kStepCases) {
      if (is_wanted(options, "roofline", one.name)) cases.push_back(one.name);
    }
    print_roofs(cases, pool, options.peer);
  }
  if (wants("scaling")) print_scaling(pool);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("PULSE beside PyTorch, two threads each, in turn in one run.", "bench_peers");
  app.add_option(
         "--only", options.only,
         "step, backbones, epoch, evaluation, window, start, memory, roofline, scaling, nightly")
      ->delimiter(',');
  app.add_option("--cases", options.cases, "such as \"ETTh1 96\"; all without it")->delimiter(',');
  app.add_option("--peer", options.peer, "Python with PyTorch, to run in turn with ours");
  app.add_option("--nightly-peer", options.nightly_peer, "Python with mlforecast and LightGBM");
  app.add_option("--as", options.ways, "ways to run the peer: eager, shared, compiled, onnx")
      ->delimiter(',');
  app.add_option("--rounds", options.rounds, "interleaved rounds")->check(CLI::PositiveNumber);
  app.add_flag("--json", options.json, "print the comparisons as JSON");
  app.add_option("--memory-of", options.memory_of)->group("");
  CLI11_PARSE(app, argc, argv);
  try {
    if (!options.memory_of.empty()) {
      print_memory(options.memory_of);
      return 0;
    }
    return run(options);
  } catch (const Error& error) {
    fmt::print(stderr, "peers: {}\n", error.what());
    return exit_code(error.kind());
  }
}
