// The works that there are.

#include <fmt/format.h>
#include <signal.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/torture/chance.h"
#include "tests/torture/work.h"

namespace pulsecast::torture {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const Words kTiny = {"--quiet", "--lookback=24", "--horizon=12", "--hidden=8"};

Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// The bytes of every tensor: what follows the header, which also tells how long training took.
std::optional<std::string> weights_in(const std::string& file) {
  const std::string bytes = contents(file);
  std::uint64_t header = 0;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header > bytes.size() - sizeof header) return std::nullopt;
  return bytes.substr(sizeof header + header);
}

class Training : public Work {
 public:
  Training(const std::string& kind, const fs::path& folder, Words settings)
      : Work(kind, folder), settings_(std::move(settings)) {}

  Words begin() const override {
    return Words{"train", path("../rows.csv"), "--out", path("m.model")} + kTiny + settings_;
  }
  Words go_on() const override { return begin() + Words{"--resume"}; }
  std::optional<std::string> result() const override { return weights_in(path("m.model")); }

 protected:
  // A model of another seed, which is not to be lost before the new one is there.
  void make_old() override {
    must_run(
        Words{"train", path("../rows.csv"), "--out", path("m.model"), "--seed=77", "--epochs=1"} +
        kTiny);
  }
  bool is_old_or_new(const std::string& name, const std::string& old) override {
    if (name != "m.model") return true;  // the log belongs to the run that goes on
    return contents(path(name)) == old || result() == undisturbed().result;
  }

 private:
  Words settings_;
};

// A training that was stopped before, and has a checkpoint.
class StoppedTraining : public Training {
 public:
  using Training::Training;
  Words begin() const override { return go_on(); }
  Words go_on() const override { return Training::begin() + Words{"--resume"}; }

 protected:
  void make_old() override {
    Training::make_old();
    const fs::path checkpoint = path("m.model.checkpoint");
    for (double wait = 5.0; !fs::exists(checkpoint); wait = wait < 200.0 ? wait * 1.3 : 5.0) {
      run({.arguments = Training::begin(), .kill_after = Milliseconds(wait), .signal = SIGTERM});
    }
  }
  bool is_old_or_new(const std::string& name, const std::string& old) override {
    return name == "m.model.checkpoint" || Training::is_old_or_new(name, old);
  }
};

// A benchmark or a sweep of which the first run is done.
class Study : public Work {
 public:
  Study(const std::string& kind, const fs::path& folder, Words more)
      : Work(kind, folder), more_(std::move(more)) {}

  Words begin() const override { return Words{kind(), path("study.toml"), "--quiet"} + more_; }
  // The records without what the clock and the stops have a part in, and every window's errors.
  std::optional<std::string> result() const override {
    std::map<std::string, std::string> parts;
    for (const auto& [name, bytes] : files_below(folder())) {
      if (name.ends_with(".safetensors")) parts[name] = bytes;
      if (!name.ends_with("runs.jsonl")) continue;
      std::istringstream lines(bytes);
      for (std::string line; std::getline(lines, line);) {
        auto record = nlohmann::json::parse(line, nullptr, false);
        if (record.is_discarded()) return std::nullopt;
        record.erase("seconds");
        record.erase("crc32c");
        record["test"].erase("times_scored");
        parts[name] += record.dump() + "\n";
      }
    }
    if (!fs::exists(folder() / "out")) return std::nullopt;
    std::string text;
    for (const auto& [name, bytes] : parts) text += name + "\n" + bytes + "\n";
    return text;
  }

 protected:
  void make_old() override {
    write_study("[5]");
    must_run(begin());
    write_study("[5, 6]");
  }
  // Records are added to; a record, once there, stays, and so do its errors. Reports are written
  // anew.
  bool is_old_or_new(const std::string& name, const std::string& old) override {
    if (name.ends_with("runs.jsonl")) return contents(path(name)).starts_with(old);
    if (name.ends_with(".safetensors")) return contents(path(name)) == old;
    return fs::exists(path(name));
  }

 private:
  void write_study(const std::string& seeds) const {
    std::ofstream(path("study.toml"))
        << "out = 'out'\nmodels = ['dlinear', 'pulse']\nhorizons = [4]\nseeds = " << seeds
        << "\n[[datasets]]\nname = 'load'\nfile = '../rows.csv'\n"
           "[settings]\nlookback = 24\nperiod = 24\nepochs = 2\nhidden = 8\n"
           "checkpoint-seconds = 0\n";
  }

  Words more_;
};

// A verb that writes one file.
class Written : public Work {
 public:
  Written(const std::string& kind, const fs::path& folder, Words first, Words last)
      : Work(kind, folder), first_(std::move(first)), last_(std::move(last)) {}
  Words begin() const override { return first_ + Words{path("out.csv")} + last_; }
  std::optional<std::string> result() const override {
    if (!fs::exists(path("out.csv"))) return std::nullopt;
    return contents(path("out.csv"));
  }

 protected:
  void make_old() override { std::ofstream(path("out.csv")) << "what was there before\n"; }
  bool is_old_or_new(const std::string& name, const std::string& old) override {
    return contents(path(name)) == old || result() == undisturbed().result;
  }

 private:
  Words first_;
  Words last_;
};

Words drawn_settings(Chance& chance) {
  const Words backbones = {"mlp",      "dlinear",      "sparsetsf", "cyclenet",
                           "patchtst", "itransformer", "timexer",   "timesnet"};
  const Words small = {"--width=8",          "--heads=2",          "--layers=1",
                       "--feed-forward=8",   "--backbone-patch=8", "--backbone-stride=4",
                       "--moving-average=5", "--top-periods=2"};
  Words settings = {fmt::format("--seed={}", chance.below(1000)),
                    fmt::format("--epochs={}", 2 + chance.below(3)),
                    fmt::format("--threads={}", 1 + chance.below(3)),
                    fmt::format("--batch={}", 8 << chance.below(4)),
                    fmt::format("--checkpoint-seconds={}", chance.one_in(3) ? "30" : "0"),
                    "--learning-rate=0.002"};
  const std::string& backbone = chance.of(backbones);
  if (backbone != "mlp" && chance.one_in(2)) {
    settings.push_back("--model=" + backbone);
  } else {
    settings.push_back("--backbone=" + backbone);
    settings = settings + chance.of<Words>({{}, {}, {"--no-anchor"}, {"--no-router"}});
    settings = settings + chance.of<Words>({{}, {"--mixup=none"}, {"--mixup=plain"}});
  }
  if (backbone != "mlp") settings = settings + small;
  return settings;
}

}  // namespace

std::vector<std::unique_ptr<Work>> make_works(const fs::path& ground, std::uint64_t seed) {
  Chance chance(seed, 0);
  std::vector<std::unique_ptr<Work>> works;
  const auto next = [&] { return ground / fmt::format("work-{}", works.size()); };
  for (int i = 0; i < 4; ++i) {
    works.push_back(std::make_unique<Training>("train", next(), drawn_settings(chance)));
    works.push_back(std::make_unique<StoppedTraining>("resume", next(), drawn_settings(chance)));
    works.push_back(
        std::make_unique<Training>("refit", next(), drawn_settings(chance) + Words{"--refit"}));
    works.push_back(std::make_unique<Training>(
        "search", next(), Words{"--budget=90steps", "--checkpoint-seconds=0", "--batch=16"}));
    works.push_back(std::make_unique<Study>("benchmark", next(), Words{"--threads=1"}));
    works.push_back(std::make_unique<Study>(
        "sweep", next(),
        Words{"--threads=2", "--vary", chance.one_in(2) ? "hidden=4,6" : "mixup-alpha=0.2,0.9"}));
  }
  const std::string rows = (ground / "rows.csv").string();
  const std::string model = (ground / "known.model").string();
  works.push_back(std::make_unique<Written>(
      "forecast", next(), Words{"forecast", model, rows, "--quiet", "--out"}, Words{}));
  works.push_back(std::make_unique<Written>("make", next(), Words{"data", "make"},
                                            Words{"--rows=900", "--quiet"}));
  return works;
}

}  // namespace pulsecast::torture
