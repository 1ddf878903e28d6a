// pulsecast train FILE: rows in, a model file out.

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/cli/interrupt.h"
#include "apps/cli/output_file.h"
#include "apps/cli/profile_text.h"
#include "apps/cli/settings_flags.h"
#include "apps/cli/terminal/progress.h"
#include "apps/cli/threads.h"
#include "apps/cli/verbs.h"
#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/file_lock.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/forecaster.h"
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
    return fmt::format("epoch {:>3}  loss {:.4f}  {:.1f} s", record.epoch, record.training_loss,
                       record.seconds);
  }
  return fmt::format("epoch {:>3}  loss {:.4f}  validation MSE {:.4f}{}  {:.1f} s", record.epoch,
                     record.training_loss, record.validation_mse, is_best ? " *" : "  ",
                     record.seconds);
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
  Json choices = Json::array();
  for (const train::Decision& decision : model.fitted()->decisions) {
    choices.push_back({{"what", decision.what}, {"value", decision.value}, {"why", decision.why}});
  }
  return {{"model", path.string()},
          {"log", log.string()},
          {"weights", model.card().weights},
          {"epochs", origin.history.size()},
          {"best_epoch", origin.best_epoch},
          {"validation_mse", origin.best_validation},
          {"naive_mse", origin.naive_validation},
          {"warnings", origin.warnings},
          {"training_windows", origin.training_windows},
          {"validation_windows", origin.validation_windows},
          {"refit", origin.is_refit},
          {"seconds", origin.seconds},
          {"memory_bytes", model.fitted()->memory},
          {"chosen", choices}};
}

Observations read_rows(const TrainArguments& arguments, const Threads& threads,
                       const Console& console) {
  Observations rows =
      Observations::read(arguments.file, arguments.settings.data, threads, interruptible());
  for (const std::string& done : rows.repairs()) console.remark(done + "\n");
  std::size_t past = 0;
  for (std::size_t c = 0; c < rows.channels(); ++c) past += rows.role(c) == Role::kPast ? 1 : 0;
  if (past > 0) {
    console.remark(counted(past, "past column is", "past columns are") +
                   " left out: this model does not read them\n");
  }
  return rows;
}

int train_model(TrainArguments& arguments, const Console& console) {
  const Watch watch = interruptible();  // before anything that takes long
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
  Observations rows = read_rows(arguments, threads, console);

  Progress progress(stderr, {.mode = Progress::mode_for(stderr, console.quiet)});
  const auto line = [&](const std::string& text) {
    if (!console.quiet) progress.line(text);
  };
  if (!beside.checkpoint) {
    line(path.string() + " is no regular file, so no checkpoint is kept beside it");
  } else if (!arguments.resume && fs::exists(*beside.checkpoint)) {
    line(beside.checkpoint->string() +
         " of an earlier run is overwritten; --resume would go on from it");
  }
  FitOptions options{.refit = arguments.refit,
                     .threads = threads,
                     .watch = watch,
                     .checkpoint = beside.checkpoint,
                     .resume = arguments.resume,
                     .allow_other_cpu = arguments.allow_other_cpu};
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

  if (arguments.profile) profile::start();
  const auto start = std::chrono::steady_clock::now();
  const auto model = fit(std::move(rows), arguments.settings, options);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::vector<profile::Entry> profiled =
      arguments.profile ? profile::stop() : std::vector<profile::Entry>{};
  progress.done();
  model->save(path);
  const artifact::Origin& origin = model->card().origin;
  const bool is_unfinished = model->fitted()->fault.has_value();
  if (beside.checkpoint) {
    if (!is_unfinished) fs::remove(*beside.checkpoint);
    fs::remove(beside.checkpoint->string() + ".refit");
  }
  for (const std::string& warning : origin.warnings) console.warn(warning);
  if (is_unfinished && beside.checkpoint) {
    console.remark(fmt::format("--resume with a --learning-rate below {} goes on from there\n",
                               *model->card().settings.training.learning_rate));
  }
  const int ending = origin.warnings.empty() ? kDone : kFindings;
  if (console.json) {
    Json json = result_json(*model, path, beside.log);
    if (arguments.profile) {
      json["profile"] = profile_json(profiled, seconds, threads.count(), model->fitted()->lanes);
    }
    console.print_json(json);
    return ending;
  }
  console.print(fmt::format(
      "{}: best epoch {} of {}, validation MSE {:.4f} (naive {:.4f}) over {}, {} weights, {:.1f} "
      "s{}\n",
      path.string(), origin.best_epoch, origin.history.size(), origin.best_validation,
      origin.naive_validation, counted(origin.validation_windows, "window"), model->card().weights,
      origin.seconds, origin.is_refit ? "; then trained again on every row" : ""));
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
                   "go on from the checkpoint of a run that was stopped, if there is one");
  command.add_flag("--allow-other-cpu", arguments->allow_other_cpu,
                   "let --resume go on from a CPU whose arithmetic gives other last bits");
  command.add_flag("--refit", arguments->refit,
                   "then train again on every row, for as many epochs as validated best");
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
    "  pulsecast train load.csv --horizon 96 --lookback 7d --refit --out load.model\n"
    "  pulsecast train ETTh1.csv.gz --recipe ETTh1 --horizon 96\n"
    "  pulsecast train load.csv --horizon 48h --model dlinear        # as published, without "
    "PULSE\n"
    "  pulsecast train load.csv --horizon 48h --backbone dlinear     # the same inside PULSE\n"
    "  pulsecast train load.csv --horizon 48h --resume       # after Ctrl-C or a power cut\n"
    "  pulsecast train shops.csv --layout long --id-column shop --value-column sold --horizon 14d\n"
    "  pulsecast train load.csv --config settings.toml --seed 7\n"
    "  pulsecast train load.csv --horizon 96 --profile --threads 1\n",
    declare_train};

}  // namespace pulsecast::cli
