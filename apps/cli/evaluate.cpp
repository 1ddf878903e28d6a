// pulsecast evaluate MODEL FILE: scores beside what costs nothing.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/interrupt.h"
#include "apps/cli/model_argument.h"
#include "apps/cli/part_argument.h"
#include "apps/cli/range_text.h"
#include "apps/cli/settings_flags.h"
#include "apps/cli/threads.h"
#include "apps/cli/verbs.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/forecaster.h"
#include "pulsecast/json/evaluation_json.h"
#include "pulsecast/settings/data_declaration.h"

namespace pulsecast::cli {
namespace {

struct EvaluateArguments {
  std::string model;
  std::string file;
  std::string part = "held-out";
  bool per_channel = false;
  bool per_step = false;
  DataSettings settings;
  std::shared_ptr<SettingsFlags> flags;
};

std::vector<const Scored*> all_of(const Evaluation& evaluation) {
  std::vector<const Scored*> all = {&evaluation.model};
  for (const Scored& baseline : evaluation.baselines) all.push_back(&baseline);
  return all;
}

// The one line that matters: whether the model beats what costs nothing.
std::string verdict(const Evaluation& evaluation) {
  const auto best = std::ranges::min_element(
      evaluation.baselines, {}, [](const Scored& scored) { return scored.scaled.overall.mse; });
  if (best == evaluation.baselines.end()) return "";
  const double own = evaluation.model.scaled.overall.mse;
  const double other = best->scaled.overall.mse;
  if (own >= other) {
    return fmt::format("{} is no worse than the model, and costs nothing.\n", best->name);
  }
  return fmt::format("The model's MSE is {:.0f} % of that of {}, the best of what costs nothing.\n",
                     100 * own / other, best->name);
}

std::string overview(const Evaluation& evaluation) {
  std::string text = fmt::format("{:<24}{:>9}{:>9}{:>9}{:>13}{:>13}", "", "MSE", "MAE", "RMSE",
                                 "MAE (units)", "RMSE (units)");
  for (const MaseAtLag& at : evaluation.model.mase) {
    text += fmt::format("{:>12}", fmt::format("MASE@{}", at.lag));
  }
  text += "\n";
  for (const Scored* scored : all_of(evaluation)) {
    const Errors& scaled = scored->scaled.overall;
    const Errors& original = scored->original.overall;
    text += fmt::format("{:<24}{:>9.4f}{:>9.4f}{:>9.4f}{:>13.6g}{:>13.6g}", scored->name,
                        scaled.mse, scaled.mae, scaled.rmse, original.mae, original.rmse);
    for (const MaseAtLag& at : scored->mase) text += fmt::format("{:>12.4f}", at.usual.overall);
    text += "\n";
  }
  return text + verdict(evaluation) +
         "MSE, MAE and RMSE on scaled data, as papers have them; 'units' are the file's own. "
         "MASE divides\nby the training rows' mean change over that many steps. --json has "
         "the paper's MASE too.\n";
}

// The model and its best baseline, for each of some things.
template <typename Name>
std::string detail(const Evaluation& evaluation, const char* title,
                   std::vector<Errors> ErrorTable::*list, Name name) {
  std::string text = fmt::format("\n{:<24}{:>11}{:>11}{:>13}   {}\n", title, "MSE", "MAE",
                                 "MAE (units)", "best baseline's MSE");
  const std::vector<Errors>& scaled = evaluation.model.scaled.*list;
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    const Scored* best = nullptr;
    for (const Scored& baseline : evaluation.baselines) {
      if (best == nullptr || (baseline.scaled.*list)[i].mse < (best->scaled.*list)[i].mse) {
        best = &baseline;
      }
    }
    text += fmt::format("{:<24}{:>11.4f}{:>11.4f}{:>13.6g}", name(i), scaled[i].mse, scaled[i].mae,
                        (evaluation.model.original.*list)[i].mae);
    if (best != nullptr) {
      text += fmt::format("   {:.4f} {}", (best->scaled.*list)[i].mse, best->name);
    }
    text += "\n";
  }
  return text;
}

int evaluate_model(EvaluateArguments& arguments, const Console& console) {
  const Part part = part_of(arguments.part);
  const auto model = load_beside("evaluate", arguments.model, arguments.file);
  // The model knows how its rows are read; flags say how this file differs.
  arguments.settings = model->reading_settings();
  arguments.flags->apply();
  const Threads threads = threads_of(console);
  const Observations observed =
      model->read(arguments.file, arguments.settings, threads, interruptible());
  for (const std::string& done : observed.repairs()) console.remark(done + "\n");
  const auto [evaluation, rows] = model->evaluate(observed, part, threads, interruptible());
  std::vector<std::string> channels;
  for (std::size_t c = 0; c < observed.channels(); ++c) channels.push_back(observed.name(c));
  const std::string first = to_text(observed.stamps()[rows.begin], observed.zone());
  const std::string last = to_text(observed.stamps()[rows.end - 1], observed.zone());
  if (console.json) {
    nlohmann::ordered_json document = {{"model_file", arguments.model},
                                       {"file", observed.source()},
                                       {"part", arguments.part},
                                       {"first", first},
                                       {"last", last}};
    document.update(json::evaluation_json(evaluation, channels));
    console.print_json(document);
    return kDone;
  }
  std::string text =
      fmt::format("{} of {} x {}, targets {} to {} ({})\n\n", counted(evaluation.windows, "window"),
                  counted(evaluation.horizon, "step"), counted(evaluation.channels, "channel"),
                  first, last, arguments.part);
  text += overview(evaluation);
  text += ranges_overview(evaluation.ranges);
  if (arguments.per_channel) {
    text += detail(evaluation, "channel", &ErrorTable::per_channel,
                   [&](std::size_t c) { return channels[c]; });
    text += ranges_per_channel(evaluation.ranges, channels);
  }
  if (arguments.per_step) {
    text += detail(evaluation, "step", &ErrorTable::per_step,
                   [](std::size_t h) { return std::to_string(h + 1); });
    text += ranges_per_step(evaluation.ranges);
  }
  console.print(text);
  return kDone;
}

Action declare_evaluate(CLI::App& command) {
  auto arguments = std::make_shared<EvaluateArguments>();
  command.add_option("model", arguments->model, "model file")->required()->type_name("MODEL");
  command.add_option("file", arguments->file, "rows to score on; '-' is standard input")
      ->required()
      ->type_name("FILE");
  command
      .add_option(
          "--part", arguments->part,
          "rows whose forecasts are scored: held-out (test rows, or rows newer than all that "
          "the model has seen), validation, training, all [held-out]")
      ->type_name("PART");
  command.add_flag("--per-channel", arguments->per_channel, "a line a channel too");
  command.add_flag("--per-step", arguments->per_step, "a line a step ahead too");
  arguments->flags = std::make_shared<SettingsFlags>(
      command, data_settings().bind(arguments->settings), dialect_settings(), Over::kModel);
  return [arguments](const Console& console) { return evaluate_model(*arguments, console); };
}

}  // namespace

const Verb kEvaluate = {"evaluate", "score a model beside naive forecasts on the same windows",
                        "  pulsecast evaluate ETTh1.model ETTh1.csv.gz\n"
                        "  pulsecast evaluate load.model newer.csv --per-channel\n"
                        "  pulsecast evaluate load.model load.csv --part validation --json\n",
                        declare_evaluate};

}  // namespace pulsecast::cli
