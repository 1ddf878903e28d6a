// pulsecast backtest FILE: how a model would have done, from many past origins.

#include "pulsecast/backtest.h"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/backtest_text.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/output_file.h"
#include "apps/cli/part_argument.h"
#include "apps/cli/settings_flags.h"
#include "apps/cli/terminal/progress.h"
#include "apps/cli/threads.h"
#include "apps/cli/verbs.h"
#include "pulsecast/artifact/file_kind.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/file_lock.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/json/backtest_json.h"
#include "pulsecast/settings/catalogue.h"
#include "pulsecast/settings/value_text.h"

namespace pulsecast::cli {
namespace {

using Json = nlohmann::ordered_json;

struct BacktestArguments {
  std::string file;
  std::string model_file;
  std::string against;
  std::string part = "held-out";
  std::string history = "expanding";
  std::string out;
  BacktestDetails details;
  BacktestOptions options;
  Settings settings;
  std::shared_ptr<SettingsFlags> flags;
};

// Rows that a refit learns from: "expanding", or so many of the newest.
std::size_t history_rows(const std::string& text) {
  if (text == "expanding") return 0;
  std::size_t rows = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), rows);
  if (fault != std::errc() || end != text.data() + text.size() || rows == 0) {
    throw_error(ErrorKind::kUsage, "--history",
                "expected expanding, or for sliding history a number of rows; got '{}'", text);
  }
  return rows;
}

// A model learnt with its own settings, and how the file is to be read for it; other settings are
// refused, since they would change nothing.
DataSettings reading_settings(BacktestArguments& arguments, const Model& model) {
  arguments.settings = model.card().settings;
  arguments.settings.data = model.reading_settings();
  Settings before = arguments.settings;
  arguments.flags->apply();
  const std::set<std::string_view> allowed = dialect_settings();
  const std::vector<BoundSetting> old = bind_all(before);
  const std::vector<BoundSetting> now = bind_all(arguments.settings);
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (allowed.contains(now[i].info->name) || now[i].values() == old[i].values()) continue;
    throw_error(ErrorKind::kUsage, fmt::format("--{}", now[i].info->name),
                "the model was trained with {}; without --model-file one is trained by your "
                "settings",
                joined(old[i].values()));
  }
  return arguments.settings.data;
}

// A model file, or forecasts of another program.
void set_against(BacktestArguments& arguments) {
  if (arguments.against.empty()) return;
  arguments.options.against_name = arguments.against;
  if (artifact::file_kind(arguments.against) == artifact::FileKind::kTensors) {
    arguments.options.against_model = Model::load(arguments.against);
  } else {
    arguments.options.against_forecasts = arguments.against;
  }
}

int backtest_rows(BacktestArguments& arguments, const Console& console) {
  BacktestOptions& options = arguments.options;
  options.watch = interruptible();
  options.part = part_of(arguments.part);
  options.history_rows = history_rows(arguments.history);
  std::optional<FileLock> lock;
  if (!arguments.out.empty()) {
    const auto named = [](const std::string& file) { return file.empty() ? "-" : file; };
    require_writable(arguments.out, "--out",
                     {arguments.file, named(arguments.model_file), named(arguments.against)});
    options.out = arguments.out;
    lock.emplace(arguments.out + ".lock",
                 "another backtest writes this file; wait for it, or name another --out");
  }
  set_against(arguments);
  options.threads = threads_of(console);
  Progress progress(stderr, {.mode = Progress::mode_for(stderr, console.quiet)});
  options.watch.on_remark = [&](const std::string& text) {
    if (!console.quiet) progress.line(text);
  };
  options.watch.on_progress = [&](const pulsecast::Progress& so_far) {
    if (so_far.stage == "backtest") progress.update("origins", so_far.done, so_far.total);
  };
  std::shared_ptr<const Model> model;
  if (!arguments.model_file.empty()) model = Model::load(arguments.model_file);
  if (model == nullptr) {
    if (options.part != Part::kHeldOut) {
      throw_error(ErrorKind::kUsage, "--part",
                  "a model that is trained here has seen no other rows than those before the first "
                  "origin; --part is for --model-file");
    }
    arguments.flags->apply();
    arguments.settings = complete(arguments.settings);
  }
  const Observations rows = model ? model->read(arguments.file, reading_settings(arguments, *model),
                                                options.threads, interruptible())
                                  : Observations::read(arguments.file, arguments.settings.data,
                                                       options.threads, interruptible());
  for (const std::string& done : rows.repairs()) console.remark(done + "\n");
  Backtest result;
  try {
    result = model ? backtest(rows, model, options) : backtest(rows, arguments.settings, options);
  } catch (const Error& error) {
    progress.done();
    if (error.kind() == ErrorKind::kInterrupted && options.out) {
      console.remark("the forecasts so far are kept; --resume goes on from them\n");
    }
    throw;
  }
  progress.done();
  if (result.origins_before > 0) {
    console.remark(counted(result.origins_before, "origin was", "origins were") +
                   " there already\n");
  }
  if (console.json) {
    Json json = {
        {"file", rows.source()},
        {"model_file", arguments.model_file.empty() ? Json() : Json(arguments.model_file)}};
    json.update(json::backtest_json(result, rows.zone()));
    console.print_json(json);
  } else {
    console.print(backtest_text(result, rows.zone(), arguments.details));
  }
  return kDone;
}

Action declare_backtest(CLI::App& command) {
  auto arguments = std::make_shared<BacktestArguments>();
  BacktestOptions& options = arguments->options;
  command.add_option("file", arguments->file, "rows to forecast from; '-' is standard input")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--model-file", arguments->model_file,
                  "a trained model; without it one is trained by the settings below on the rows "
                  "before the first origin")
      ->type_name("MODEL");
  command.add_option("--stride", options.stride, "rows from one origin to the next [1]")
      ->type_name("ROWS");
  command
      .add_option("--origins", options.origins,
                  "the newest so many [all of the part; without a model, of the newest fifth]")
      ->type_name("COUNT");
  command
      .add_option("--part", arguments->part,
                  "rows that a trained model forecasts: held-out, validation, training, all "
                  "[held-out]")
      ->type_name("PART");
  command
      .add_option("--refit-every", options.refit_every, "train again after so many origins [never]")
      ->type_name("COUNT");
  command.add_flag("--refit-on-drift", options.refit_on_drift,
                   "train again when the drift alarm rises");
  command
      .add_option("--history", arguments->history,
                  "what training again learns from: expanding, or a number of the newest rows "
                  "[expanding]")
      ->type_name("ROWS");
  command
      .add_option("--drift-window", options.drift_window,
                  "origins that the drift alarm looks at [as many as a horizon has strides, at "
                  "least 10]")
      ->type_name("COUNT");
  command
      .add_option("--against", arguments->against,
                  "an older model, or a CSV of forecasts (unique_id,ds,cutoff,yhat): would this "
                  "one have been better?")
      ->type_name("FILE");
  command.add_option("--out,-o", arguments->out, "CSV of every forecast")->type_name("FILE");
  command.add_flag("--resume", options.resume,
                   "go on with a run that was stopped, from what lies beside --out");
  command.add_flag("--per-channel", arguments->details.per_channel, "a line a channel too");
  command.add_flag("--per-step", arguments->details.per_step, "a line a step ahead too");
  command.add_flag("--per-month", arguments->details.per_month, "a line a month too");
  arguments->flags = std::make_shared<SettingsFlags>(command, bind_all(arguments->settings));
  return [arguments](const Console& console) { return backtest_rows(*arguments, console); };
}

}  // namespace

const Verb kBacktest = {
    "backtest", "forecast from many past origins and score what came",
    "  pulsecast backtest newer.csv --model-file load.model\n"
    "  pulsecast backtest newer.csv --model-file new.model --against old.model\n"
    "  pulsecast backtest newer.csv --model-file load.model --against others.csv --stride 24\n"
    "  pulsecast backtest load.csv --horizon 48h --stride 24 --refit-every 30 --out past.csv\n"
    "  pulsecast backtest load.csv --horizon 48h --stride 24 --refit-on-drift --history 8760\n"
    "  pulsecast backtest load.csv --horizon 48h --refit-every 30 --out past.csv --resume\n",
    declare_backtest};

}  // namespace pulsecast::cli
