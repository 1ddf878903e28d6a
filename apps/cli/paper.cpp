// pulsecast paper: the tables and figures of the paper, ours beside the paper's.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/interrupt.h"
#include "apps/cli/study_run.h"
#include "apps/cli/terminal/markdown_text.h"
#include "apps/cli/terminal/progress.h"
#include "apps/cli/threads.h"
#include "apps/cli/verbs.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/paper/conduct.h"
#include "pulsecast/paper/report.h"

namespace pulsecast::cli {
namespace {

struct PaperArguments {
  paper::Request request;
  std::string data;
  std::string out;
  std::vector<std::string> studies;
  bool dry_run = false;
  bool report = false;
};

std::string left_words(const paper::Remaining& left) {
  return fmt::format("{} to do, about {} left", counted(left.runs, "run"),
                     duration_text(left.seconds));
}

void list_runs(const paper::Plan& plan, const Console& console) {
  const paper::Remaining left = paper::remaining(plan);
  if (console.json) {
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    for (const paper::PlannedRun& run : plan.runs()) {
      const benchmark::RunKey& key = run.task.key;
      runs.push_back({{"model", key.model},
                      {"dataset", key.dataset},
                      {"horizon", key.horizon},
                      {"seed", key.seed},
                      {"estimated_seconds", run.seconds}});
    }
    console.print_json({{"runs", runs},
                        {"found", left.found},
                        {"to_do", left.runs},
                        {"left_out", plan.left_out()},
                        {"estimated_seconds", left.seconds}});
    return;
  }
  std::string text;
  for (const paper::PlannedRun& run : plan.runs()) {
    const benchmark::RunKey& key = run.task.key;
    text += fmt::format("{:<44} {:<12} {:>4}  seed {}  {:>9}\n", key.model, key.dataset,
                        key.horizon, key.seed, duration_text(run.seconds));
  }
  console.print(text + fmt::format("{} found, {}\n", left.found, left_words(left)));
}

// Trains what is still to do; failures are said as they come.
void train_all(const paper::Plan& plan, const Threads& threads, const Watch& watch,
               const Console& console) {
  Progress progress(stderr, {.mode = Progress::mode_for(stderr, console.quiet)});
  paper::Hooks hooks;
  hooks.study = study_hooks(progress, watch, console);
  hooks.on_left = [&, is_first = true](const paper::Remaining& left) mutable {
    // How much there is to do was said before the first run.
    if (!is_first && !console.quiet) progress.line(left_words(left));
    is_first = false;
  };
  const benchmark::StudyResult result = paper::conduct(plan, hooks, *threads.pool());
  console.remark(fmt::format("{}, {} found, {} failed\n",
                             counted(result.done, "run done", "runs done"), result.found,
                             result.failures.size()));
}

int run_paper(PaperArguments& arguments, const Console& console) {
  const Watch watch = interruptible();
  const Threads threads = threads_of(console);
  arguments.request.data = arguments.data;
  arguments.request.out = arguments.out;
  const paper::Plan plan(arguments.request, *threads.pool(), watch);
  if (arguments.dry_run) {
    list_runs(plan, console);
    return kDone;
  }
  const std::vector<std::filesystem::path> studies(arguments.studies.begin(),
                                                   arguments.studies.end());
  const std::size_t taken = paper::take_over(plan, studies, *threads.pool(), watch);
  if (!studies.empty()) console.remark(fmt::format("{} taken over\n", counted(taken, "run")));
  if (!arguments.report) {
    const paper::Remaining left = paper::remaining(plan);
    console.remark(fmt::format("{} found, {}\n", left.found, left_words(left)));
    train_all(plan, threads, watch, console);
  }
  const paper::Report report = paper::write_report(plan, *threads.pool(), watch);
  console.remark(report.files + "\n");
  console.print(console.json            ? report.json
                : console.is_terminal() ? markdown_text(report.markdown)
                                        : report.markdown);
  console.remark(report.count + "\n");
  return report.missing == 0 ? kDone : kFindings;
}

Action declare_paper(CLI::App& command) {
  auto arguments = std::make_shared<PaperArguments>();
  paper::Request& request = arguments->request;
  std::string names;
  for (const paper::Part& part : paper::parts()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", part.name);
  }
  command
      .add_option("--data", arguments->data,
                  "folder of the datasets' files; 'pulsecast data list' names them")
      ->required()
      ->type_name("DIR");
  command.add_option("--out,-o", arguments->out, "folder for runs, page and numbers")
      ->required()
      ->type_name("DIR");
  command.add_option("--only", request.parts, "parts of the paper: " + names + " [all]")
      ->delimiter(',')
      ->type_name("PART,PART...");
  command.add_option("--datasets", request.datasets, "these alone [all whose file is there]")
      ->delimiter(',')
      ->type_name("NAME,NAME...");
  command.add_option("--models", request.models, "train these alone, as studies name them [all]")
      ->delimiter(',')
      ->type_name("NAME,NAME...");
  command.add_option("--horizons", request.horizons, "train these alone [all]")
      ->delimiter(',')
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{100000}))
      ->type_name("STEPS,STEPS...");
  command.add_option("--seeds", request.seeds, "each cell is trained once a seed [2024]")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber)
      ->type_name("NUMBER,NUMBER...");
  command.add_flag("--quick", request.is_quick,
                   "what fits about an hour on two CPUs: ETTh1 and ETTh2 without the slow runs");
  command
      .add_option("--epochs", request.most_epochs,
                  "end every training after so many, for a trial; its numbers compare with nothing")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{100000}))
      ->type_name("NUMBER");
  CLI::Option* studies =
      command
          .add_option("--studies", arguments->studies,
                      "folders of 'pulsecast benchmark' or this, or of their runs.jsonl alone, "
                      "whose finished runs are taken over where their settings are the same")
          ->delimiter(',')
          ->type_name("DIR,DIR...");
  CLI::Option* dry = command
                         .add_flag("--dry-run", arguments->dry_run,
                                   "list the runs and what they are thought to take")
                         ->excludes(studies);  // nothing is taken over for a list
  command
      .add_flag("--report", arguments->report, "write the page of what is finished; train nothing")
      ->excludes(dry);
  return [arguments](const Console& console) { return run_paper(*arguments, console); };
}

}  // namespace

const Verb kPaper = {
    "paper", "do the paper over: its tables and figures, ours beside the paper's",
    "  pulsecast paper --data datasets --out paper --quick      # may be stopped and started "
    "again\n"
    "  pulsecast paper --data datasets --out paper --dry-run    # what would be run, and how long\n"
    "  pulsecast paper --data datasets --out paper --only main,ablation --seeds 2024,2025,2026\n"
    "  pulsecast paper --data datasets --out paper --models cfpt,pulse:dlinear --horizons 96\n"
    "  pulsecast paper --data datasets --out paper --report     # the page of what is finished\n",
    declare_paper, study_verb_words};

}  // namespace pulsecast::cli
