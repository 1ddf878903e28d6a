// pulsecast train FILE: rows in, a model file out.

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/interrupt.h"
#include "apps/cli/output_file.h"
#include "apps/cli/profile_text.h"
#include "apps/cli/settings_flags.h"
#include "apps/cli/terminal/progress.h"
#include "apps/cli/threads.h"
#include "apps/cli/verbs.h"
#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/data/readers/read_table.h"
#include "pulsecast/forecaster.h"
#include "pulsecast/settings/catalogue.h"
#include "pulsecast/train/completion.h"

namespace pulsecast::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct TrainArguments {
  std::string file;
  std::string out;
  std::string log;
  bool resume = false;
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

std::string plan_text(const train::Plan& plan) {
  const model::ModelShape& shape = plan.shape;
  std::string text;
  for (const train::Decision& decision : plan.decisions) {
    text += fmt::format("  {:<14} {}  ({})\n", decision.what, decision.value, decision.why);
  }
  return (text.empty() ? "" : "Chosen from the data:\n" + text) +
         fmt::format("{}: {}, {} of history, {} to forecast, period {}\n", model_title(shape),
                     counted(shape.channels, "channel"), counted(shape.lookback, "step"),
                     shape.horizon, shape.period);
}

Json result_json(const Forecaster& forecaster, const fs::path& path, const fs::path& log) {
  const artifact::Origin& origin = forecaster.model().origin;
  Json choices = Json::array();
  for (const train::Decision& decision : forecaster.fitted()->plan.decisions) {
    choices.push_back({{"what", decision.what}, {"value", decision.value}, {"why", decision.why}});
  }
  return {{"model", path.string()},
          {"log", log.string()},
          {"weights", forecaster.model().pulse->parameters().learned_count()},
          {"epochs", origin.history.size()},
          {"best_epoch", origin.best_epoch},
          {"validation_mse", origin.best_validation},
          {"training_windows", origin.training_windows},
          {"validation_windows", origin.validation_windows},
          {"refit", origin.is_refit},
          {"seconds", origin.seconds},
          {"memory_bytes", forecaster.fitted()->result.memory},
          {"chosen", choices}};
}

Series read_series(TrainArguments& arguments, const Console& console) {
  Threads threads(console);
  Table table = read_table(arguments.file, arguments.settings.data, threads);
  // A model must read new rows the way these were read.
  if (table.is_long()) arguments.settings.data.layout = Layout::kLong;
  Repaired repaired = repair(std::move(table), arguments.settings.data);
  for (const std::string& done : repaired.repairs) console.remark(done + "\n");
  const auto past = std::ranges::count(repaired.series.channels, Role::kPast, &Channel::role);
  if (past > 0) {
    console.remark(counted(past, "past column is", "past columns are") +
                   " left out: this model does not read them\n");
  }
  return std::move(repaired.series);
}

int train_model(TrainArguments& arguments, const Console& console) {
  arguments.flags->apply();
  // Before rows are read: a recipe has a say in that.
  arguments.settings = train::complete(arguments.settings);
  const fs::path path = model_path(arguments);
  const fs::path log = arguments.log.empty() ? path.string() + ".log.csv" : arguments.log;
  const fs::path checkpoint = path.string() + ".checkpoint";
  require_writable(path, "--out", {arguments.file});
  require_writable(log, "--log", {arguments.file, path});
  Series series = read_series(arguments, console);

  Progress progress(stderr, {.mode = Progress::mode_for(stderr, console.quiet)});
  const auto line = [&](const std::string& text) {
    if (!console.quiet) progress.line(text);
  };
  if (!arguments.resume && fs::exists(checkpoint)) {
    line(checkpoint.string() + " of an earlier run is overwritten; --resume would go on from it");
  }
  FitOptions options{.refit = arguments.refit,
                     .threads = console.threads,
                     .hooks = {},
                     .keep_workers_off_caller = true};
  options.hooks.checkpoint = checkpoint;
  options.hooks.resume = arguments.resume;
  options.hooks.stop = &interrupt_flag();
  options.hooks.on_plan = [&](const train::Plan& plan) { console.remark(plan_text(plan)); };
  options.hooks.on_step = [&](const train::StepReport& step) {
    // The end of an epoch has a line of its own, with the validation.
    if (step.step == step.steps) return;
    progress.update(step.epoch, step.epochs, step.step, step.steps, step.mean_loss);
  };
  options.hooks.on_epoch = [&](std::span<const model::EpochRecord> history, bool is_best) {
    write_file(log, log_text(history));
    line(epoch_line(history.back(), is_best));
  };
  options.hooks.on_remark = line;

  if (arguments.profile) profile::start();
  const auto start = std::chrono::steady_clock::now();
  const Forecaster forecaster = Forecaster::fit(std::move(series), arguments.settings, options);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::vector<profile::Entry> profiled =
      arguments.profile ? profile::stop() : std::vector<profile::Entry>{};
  progress.done();
  forecaster.save(path);
  fs::remove(checkpoint);
  fs::remove(checkpoint.string() + ".refit");
  if (console.json) {
    Json json = result_json(forecaster, path, log);
    if (arguments.profile) {
      json["profile"] =
          profile_json(profiled, seconds, forecaster.threads(), forecaster.fitted()->result.lanes);
    }
    console.print_json(json);
    return kDone;
  }
  const artifact::Origin& origin = forecaster.model().origin;
  console.print(fmt::format(
      "{}: best epoch {} of {}, validation MSE {:.4f} over {}, {} weights, {:.1f} s{}\n",
      path.string(), origin.best_epoch, origin.history.size(), origin.best_validation,
      counted(origin.validation_windows, "window"),
      forecaster.model().pulse->parameters().learned_count(), origin.seconds,
      origin.is_refit ? "; then trained again on every row" : ""));
  if (arguments.profile) {
    console.print(
        profile_text(profiled, seconds, forecaster.threads(), forecaster.fitted()->result.lanes));
  }
  return kDone;
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
