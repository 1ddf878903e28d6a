// pulsecast train FILE: rows in, a model file out.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/cli/error_text.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/output_file.h"
#include "apps/cli/profile_text.h"
#include "apps/cli/settings_flags.h"
#include "apps/cli/terminal/progress.h"
#include "apps/cli/threads.h"
#include "apps/cli/verbs.h"
#include "pulsecast/backtest.h"
#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/file_lock.h"
#include "pulsecast/base/input_file.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/forecaster.h"
#include "pulsecast/json/training_json.h"
#include "pulsecast/settings/catalogue.h"

namespace pulsecast::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct TrainArguments {
  std::string file;
  std::string out;
  std::string log;
  bool resume = false;
  bool allow_other_cpu = false;
  bool refit = false;
  bool profile = false;
  bool force = false;
  std::string from;
  std::string if_better_than;
  Settings settings;
  std::shared_ptr<SettingsFlags> flags;
};

// "data/load.csv.gz" trains "load.model".
fs::path model_path(const TrainArguments& arguments) {
  if (!arguments.out.empty()) return arguments.out;
  if (arguments.file == "-") {
    throw_error(ErrorKind::kUsage, "--out",
                "name the model file when rows come from standard input");
  }
  fs::path stem = fs::path(arguments.file).filename();
  while (stem.has_extension() && stem.stem() != stem) stem = stem.stem();
  return stem.string() + ".model";
}

// Files that are written beside the model. A device or a pipe has none beside it.
struct Companions {
  fs::path log;  // empty: none
  std::optional<fs::path> checkpoint;
};

Companions companions_of(const TrainArguments& arguments, const fs::path& model) {
  if (is_replaceable(model)) {
    return {arguments.log.empty() ? model.string() + ".log.csv" : arguments.log,
            model.string() + ".checkpoint"};
  }
  if (arguments.resume) {
    throw_error(ErrorKind::kUsage, "--resume",
                "{} is no regular file, so there is no checkpoint beside it to go on from",
                model.string());
  }
  return {arguments.log, std::nullopt};
}

std::string log_text(std::span<const model::EpochRecord> history) {
  std::string text = "epoch,learning_rate,training_loss,validation_mse,seconds\n";
  for (const model::EpochRecord& record : history) {
    text += fmt::format(
        "{},{},{},{},{:.3f}\n", record.epoch, record.learning_rate, record.training_loss,
        std::isnan(record.validation_mse) ? "" : fmt::format("{}", record.validation_mse),
        record.seconds);
  }
  return text;
}

std::string epoch_line(const model::EpochRecord& record, bool is_best) {
  if (std::isnan(record.validation_mse)) {
    return fmt::format("epoch {:>3}  loss {}  {:.1f} s", record.epoch,
                       error_text(record.training_loss), record.seconds);
  }
  return fmt::format("epoch {:>3}  loss {}  validation MSE {}{}  {:.1f} s", record.epoch,
                     error_text(record.training_loss), error_text(record.validation_mse),
                     is_best ? " *" : "  ", record.seconds);
}

std::string plan_text(const FitPlan& plan) {
  std::string text;
  for (const train::Decision& decision : plan.decisions) {
    const bool is_horizon = decision.what == "horizon";
    text += fmt::format("  {:<14} {}  ({}{})\n", decision.what, decision.value, decision.why,
                        is_horizon ? "; --horizon asks for another, such as 48h" : "");
  }
  return (text.empty() ? "" : "Chosen from the data:\n" + text) +
         fmt::format("{}: {}, {} of history, {} to forecast, period {}\n", plan.title,
                     counted(plan.channels, "channel"), counted(plan.lookback, "step"),
                     plan.horizon, plan.period);
}

Json result_json(const Model& model, const fs::path& path, const fs::path& log) {
  const artifact::Origin& origin = model.card().origin;
  return {{"model", path.string()},
          {"log", log.string()},
          {"weights", model.card().weights},
          {"epochs", origin.history.size()},
          {"best_epoch", origin.best_epoch},
          {"validation_mse", origin.best_validation},
          {"naive_mse", origin.naive_validation},
          {"seasonal_naive_mse", origin.seasonal_validation},
          {"warnings", origin.warnings},
          {"training_windows", origin.training_windows},
          {"validation_windows", origin.validation_windows},
          {"refit", origin.is_refit},
          {"seconds", origin.seconds},
          {"memory_bytes", model.fitted()->memory},
          {"tried", json::tried_json(model.fitted()->tried)},
          {"chosen", json::decisions_json(model.fitted()->decisions)}};
}

// What was tried, the members of the model first and the best of the others after them.
std::string tried_text(std::vector<train::Tried> tried) {
  if (tried.empty()) return "";
  std::ranges::stable_sort(tried, [](const train::Tried& a, const train::Tried& b) {
    return a.share != b.share ? a.share > b.share : a.validation_mse < b.validation_mse;
  });
  std::string text = fmt::format("{:<36}{:>15}{:>8}{:>8}{:>9}\n", "tried", "validation MSE",
                                 "share", "steps", "seconds");
  for (const train::Tried& each : tried) {
    text +=
        fmt::format("{:<36}{:>15}{:>8}{:>8}{:>9.1f}\n", each.name, error_text(each.validation_mse),
                    each.share > 0.0 ? fmt::format("{:.0f} %", 100.0 * each.share) : "-",
                    each.steps > 0 ? std::to_string(each.steps) : "-", each.seconds);
  }
  return text;
}

// "naive 2.0133, seasonal naive 0.0141: the model's error is 48 % of the better one's".
std::string beside_naive(const artifact::Origin& origin) {
  const bool has_season = !std::isnan(origin.seasonal_validation);
  const bool is_seasonal = has_season && origin.seasonal_validation < origin.naive_validation;
  const double best = is_seasonal ? origin.seasonal_validation : origin.naive_validation;
  const std::string names =
      fmt::format("naive {}{}", error_text(origin.naive_validation),
                  has_season ? ", seasonal naive " + error_text(origin.seasonal_validation) : "");
  if (origin.best_validation >= best) {
    return fmt::format("{}: {} is no worse than the model, and costs nothing", names,
                       is_seasonal ? "seasonal naive" : "naive");
  }
  return fmt::format("{}: the model's error is {} of {}", names,
                     share_text(origin.best_validation / best),
                     has_season ? "the better one's" : "that");
}

std::string result_text(const Model& model, const fs::path& path) {
  const artifact::Origin& origin = model.card().origin;
  const bool is_searched = !model.fitted()->tried.empty();
  const std::string what =
      is_searched ? model.card().title
                  : fmt::format("best epoch {} of {}", origin.best_epoch, origin.history.size());
  const std::string trained =
      fmt::format("{} weights, {:.1f} s{}", model.card().weights, origin.seconds,
                  origin.is_refit ? "; then trained again on every row" : "");
  if (origin.validation_windows == 0) {
    return fmt::format("{}: {}, nothing held out to validate by, {}\n", path.string(),
                       counted(origin.history.size(), "epoch"), trained);
  }
  return tried_text(model.fitted()->tried) +
         fmt::format("{}: {}, validation MSE {} over {}, {}\nBeside it {}\n", path.string(), what,
                     error_text(origin.best_validation),
                     counted(origin.validation_windows, "window"), trained, beside_naive(origin));
}

Observations read_rows(const TrainArguments& arguments, const Threads& threads, const Watch& watch,
                       const Console& console) {
  Observations rows = Observations::read(arguments.file, arguments.settings.data, threads, watch);
  for (const std::string& done : rows.repairs()) console.remark(done + "\n");
  return rows;
}

// What an older model was trained with, but for the split of its rows.
Settings settings_of(const Model& older) {
  Settings settings = older.card().settings;
  settings.data.split.reset();
  settings.training.recipe.reset();
  return settings;
}

// The newest tenth is held out of training, for both models to be scored on.
constexpr const char* kGateSplit = "0.8,0.1,0.1";

struct Gate {
  std::shared_ptr<const Model> older;
  Observations rows;  // as they were read
};

std::optional<Gate> open_gate(TrainArguments& arguments, std::shared_ptr<const Model> older,
                              const Observations& rows, const Console& console) {
  if (!older) return std::nullopt;
  if (!arguments.settings.data.split) {
    arguments.settings.data.split = kGateSplit;
    console.remark("the newest tenth of the rows is held out: both models are scored on it\n");
  }
  return Gate{std::move(older), rows.clone()};
}

Comparison pass(const Gate& gate, const std::string& name, std::shared_ptr<const Model> model,
                const Threads& threads, const Watch& watch) {
  return compare_with_rival(backtest(
      gate.rows, std::move(model),
      {.against_name = name, .against_model = gate.older, .threads = threads, .watch = watch}));
}

// A model that is there already took somebody's hours: it is kept beside the new one.
void save(const Model& model, const fs::path& path, bool force, const Console& console) {
  if (!force && is_replaceable(path) && fs::exists(path)) {
    const std::string previous = path.string() + ".previous";
    write_file(previous, read_whole(path, fs::file_size(path), "model file"));
    console.remark(fmt::format("the model that was there is kept as {}\n", previous));
  }
  model.save(path);
}

int train_model(TrainArguments& arguments, const Console& console) {
  const Watch watch = finishable();  // before anything that takes long
  std::shared_ptr<const Model> from, older;
  if (!arguments.from.empty()) from = Model::load(arguments.from);
  if (!arguments.if_better_than.empty()) older = Model::load(arguments.if_better_than);
  if (from) arguments.settings = settings_of(*from);
  arguments.flags->apply();
  // Before rows are read: a recipe has a say in that.
  arguments.settings = complete(arguments.settings);
  const fs::path path = model_path(arguments);
  require_writable(path, "--out", {arguments.file});
  const Companions beside = companions_of(arguments, path);
  if (!beside.log.empty()) require_writable(beside.log, "--log", {arguments.file, path});
  std::optional<FileLock> lock;
  if (beside.checkpoint) {
    lock.emplace(path.string() + ".lock",
                 "another training writes this model; wait for it, or name another --out");
  }
  const Threads threads = threads_of(console);
  Observations rows = read_rows(arguments, threads, watch, console);
  const std::optional<Gate> gate = open_gate(arguments, std::move(older), rows, console);

  Progress progress(stderr, {.mode = Progress::mode_for(stderr, console.quiet)});
  const auto line = [&](const std::string& text) {
    if (!console.quiet) progress.line(text);
  };
  if (!beside.checkpoint) {
    line(path.string() + " is no regular file, so no checkpoint is kept beside it");
  } else if (arguments.resume && !fs::exists(*beside.checkpoint)) {
    line(beside.checkpoint->string() +
         " is not there, so there is nothing to resume: training begins at its start");
  } else if (!arguments.resume && fs::exists(*beside.checkpoint)) {
    line(beside.checkpoint->string() +
         " of an earlier run is overwritten; --resume would go on from it");
  }
  FitOptions options{.refit = arguments.refit,
                     .threads = threads,
                     .watch = watch,
                     .checkpoint = beside.checkpoint,
                     .resume = arguments.resume,
                     .allow_other_cpu = arguments.allow_other_cpu,
                     .from = std::move(from)};
  options.watch.on_remark = line;
  options.on_plan = [&](const FitPlan& plan) { console.remark(plan_text(plan)); };
  options.on_step = [&](const train::StepReport& step) {
    // The end of an epoch has a line of its own, with the validation.
    if (step.step == step.steps) return;
    progress.update(step.epoch, step.epochs, step.step, step.steps, step.mean_loss);
  };
  options.on_epoch = [&](std::span<const model::EpochRecord> history, bool is_best) {
    if (!beside.log.empty()) write_file(beside.log, log_text(history));
    line(epoch_line(history.back(), is_best));
  };

  options.watch.on_progress = [&](const pulsecast::Progress& made) {
    if (made.stage == "search") progress.update("budget", made.done, made.total);
  };

  if (arguments.profile) profile::start();
  const auto start = std::chrono::steady_clock::now();
  const auto model = fit(std::move(rows), arguments.settings, options);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::vector<profile::Entry> profiled =
      arguments.profile ? profile::stop() : std::vector<profile::Entry>{};
  std::optional<Comparison> compared;
  if (gate) compared = pass(*gate, arguments.if_better_than, model, threads, options.watch);
  progress.done();
  const bool is_kept = !compared || compared->is_better;
  if (is_kept) save(*model, path, arguments.force, console);
  const artifact::Origin& origin = model->card().origin;
  // Two trainings wrote it; the model's own stays.
  if (model->fitted()->starts && !beside.log.empty()) {
    write_file(beside.log, log_text(origin.history));
  }
  const bool is_unfinished = model->fitted()->fault || model->fitted()->was_ended;
  if (beside.checkpoint) {
    if (!is_unfinished) fs::remove(*beside.checkpoint);
    for (const char* end : {".refit", ".fresh", ".fresh.refit"}) {
      fs::remove(beside.checkpoint->string() + end);
    }
  }
  if (compared) {
    const std::string text =
        fmt::format("{}: {}", is_kept ? "better" : "not written", compared->reason);
    is_kept ? console.remark(text + "\n") : console.warn(text);
  }
  for (const std::string& warning : origin.warnings) console.warn(warning);
  if (model->fitted()->was_ended && beside.checkpoint) {
    console.remark("--resume goes on from where it was\n");
  }
  if (model->fitted()->fault && beside.checkpoint) {
    console.remark(fmt::format("--resume with a --learning-rate below {} goes on from there\n",
                               *model->card().settings.training.learning_rate));
  }
  const int ending = origin.warnings.empty() && is_kept ? kDone : kFindings;
  if (console.json) {
    Json json = result_json(*model, path, beside.log);
    if (const auto& starts = model->fitted()->starts) {
      json["starts"] = {{"warm_validation_mse", starts->warm},
                        {"fresh_validation_mse", starts->fresh},
                        {"model_is", starts->is_warm ? "warm" : "fresh"}};
    }
    if (compared) json["gate"] = {{"is_better", is_kept}, {"reason", compared->reason}};
    if (arguments.profile) {
      json["profile"] = profile_json(profiled, seconds, threads.count(), model->fitted()->lanes);
    }
    console.print_json(json);
    return ending;
  }
  if (!is_kept) return ending;
  console.print(result_text(*model, path));
  if (arguments.profile) {
    console.print(profile_text(profiled, seconds, threads.count(), model->fitted()->lanes));
  }
  return ending;
}

Action declare_train(CLI::App& command) {
  auto arguments = std::make_shared<TrainArguments>();
  command.add_option("file", arguments->file, "rows to learn from; '-' is standard input")
      ->required()
      ->type_name("FILE");
  command.add_option("--out,-o", arguments->out, "model file to write [the file's name + .model]")
      ->type_name("MODEL");
  command.add_flag("--resume", arguments->resume,
                   "go on from the checkpoint of a run that was stopped, if there is one; budget, "
                   "epochs and patience may be others");
  command.add_flag("--allow-other-cpu", arguments->allow_other_cpu,
                   "let --resume go on from a CPU whose arithmetic gives other last bits");
  command.add_flag("--refit", arguments->refit,
                   "then train again on every row, for as many epochs as validated best");
  command
      .add_option("--from", arguments->from,
                  "begin at the weights of this model, with its settings; a fresh start is "
                  "trained too, and the better of both is the model")
      ->type_name("MODEL");
  command
      .add_option("--if-better-than", arguments->if_better_than,
                  "write the model only if a paired test over the newest rows finds it better "
                  "than this one; else exit code 1")
      ->type_name("MODEL");
  command.add_flag("--force", arguments->force,
                   "overwrite a model that is there, instead of keeping it as MODEL.previous");
  command.add_flag("--profile", arguments->profile,
                   "afterwards print what each operation took of the time");
  command.add_option("--log", arguments->log, "CSV of every epoch [MODEL.log.csv]")
      ->type_name("FILE");
  arguments->flags = std::make_shared<SettingsFlags>(command, bind_all(arguments->settings));
  return [arguments](const Console& console) { return train_model(*arguments, console); };
}

}  // namespace

const Verb kTrain = {
    "train", "learn a model from a file of timestamped rows",
    "  pulsecast train load.csv --horizon 48h\n"
    "  pulsecast train load.csv --horizon 48h --budget 10m           # the best that ten minutes "
    "buy\n"
    "  pulsecast train load.csv --horizon 96 --lookback 7d --refit --out load.model\n"
    "  pulsecast train ETTh1.csv.gz --recipe ETTh1 --horizon 96\n"
    "  pulsecast train load.csv --horizon 48h --model dlinear        # as published, without "
    "PULSE\n"
    "  pulsecast train load.csv --horizon 48h --backbone dlinear     # the same inside PULSE\n"
    "  pulsecast train load.csv --horizon 48h --resume       # after Ctrl-C (twice) or a power "
    "cut\n"
    "  pulsecast train shops.csv --layout long --id-column shop --value-column sold --horizon 14d\n"
    "  pulsecast train newer.csv --from load.model --out newer.model\n"
    "  pulsecast train newer.csv --from load.model --if-better-than load.model --out load.model\n"
    "  pulsecast train load.csv --config settings.toml --seed 7\n"
    "  pulsecast train load.csv --horizon 96 --profile --threads 1\n",
    declare_train};

}  // namespace pulsecast::cli
