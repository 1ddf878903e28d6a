#include "apps/cli/study_run.h"

#include <fmt/format.h>

#include "apps/cli/interrupt.h"
#include "apps/cli/terminal/markdown_text.h"
#include "apps/cli/threads.h"
#include "apps/cli/verb.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/settings/door_words.h"

namespace pulsecast::cli {
namespace {

std::string done_line(const benchmark::RunRecord& record) {
  std::string text = fmt::format("  test MSE {:.4f}  MAE {:.4f} over {}", record.mse, record.mae,
                                 counted(record.test_windows, "window"));
  if (record.is_outside) return benchmark::to_text(record.key) + text;
  return text + fmt::format("; best epoch {} of {}, {:.1f} s", record.best_epoch,
                            record.validation_mse.size(), record.seconds);
}

class StudyVerbWords : public StudyWords {
 public:
  std::string action(RemedyAction action) const override {
    switch (action) {
      case RemedyAction::kResume:
        return "run the same command again";
      case RemedyAction::kRunStudy:
      case RemedyAction::kCheckRows:
        return CommandLineWords().action(action);
      case RemedyAction::kAllowOtherCpu:
      case RemedyAction::kStartOver:
      case RemedyAction::kScoreValidation:
      case RemedyAction::kScoreTraining:
        break;
    }
    return StudyWords::action(action);
  }
};

benchmark::StudyResult run_with_progress(const benchmark::Study& study, const Console& console) {
  const Watch watch = interruptible();  // before anything that takes long
  Progress progress(stderr, {.mode = Progress::mode_for(stderr, console.quiet)});
  const benchmark::StudyHooks hooks = study_hooks(progress, watch, console);
  const Threads threads = threads_of(console);
  return run_study(study, hooks, *threads.pool());
}

}  // namespace

benchmark::StudyHooks study_hooks(Progress& progress, const Watch& watch, const Console& console) {
  benchmark::StudyHooks hooks;
  hooks.run.watch = watch;
  const auto line = [&progress, is_quiet = console.quiet](const std::string& text) {
    if (!is_quiet) progress.line(text);
  };
  hooks.run.on_step = [&progress](const train::StepReport& step) {
    // A log keeps a line of every run; one of each epoch besides would bury it.
    if (step.step == step.steps) return;
    progress.update(step.epoch, step.epochs, step.step, step.steps, step.mean_loss);
  };
  hooks.run.watch.on_remark = [line](const std::string& text) { line("  " + text); };
  hooks.on_start = [line](const benchmark::RunKey& key, std::size_t number, std::size_t total) {
    line(fmt::format("[{}/{}] {} on {}, horizon {}, seed {}", number, total, key.model, key.dataset,
                     key.horizon, key.seed));
  };
  hooks.on_done = [line, &progress](const benchmark::RunRecord& record) {
    progress.done();
    line(done_line(record));
  };
  hooks.on_failure = [line, &progress](const benchmark::RunKey& key, const Error& error) {
    progress.done();
    line(fmt::format("{}: {}", benchmark::to_text(key), to_text(error, study_verb_words())));
  };
  hooks.on_remark = line;
  return hooks;
}

const Words& study_verb_words() {
  static const StudyVerbWords words;
  return words;
}

void run_shown(const benchmark::Study& study, const Console& console) {
  const benchmark::StudyResult result = run_with_progress(study, console);
  if (result.done + result.found == 0) {
    const benchmark::FailedRun& first = result.failures.front();
    throw make_error(ErrorKind::kTraining, study.source,
                     "no run could be trained; the first, {}: {}: {}",
                     benchmark::to_text(first.key), first.error.where(), first.error.message())
        .with(first.error.remedies());
  }
  console.remark(
      fmt::format("{}, {} found\n", counted(result.done, "run done", "runs done"), result.found));
}

int print_report(const benchmark::Report& report, const Console& console) {
  console.remark(report.files + "\n");
  console.print(console.json            ? report.json
                : console.is_terminal() ? markdown_text(report.markdown)
                                        : report.markdown);
  return report.missing == 0 ? kDone : kFindings;
}

}  // namespace pulsecast::cli
