// pulsecast sweep FILE.toml --vary SETTING=VALUES: how much a setting matters.

#include <memory>

#include "apps/cli/study_run.h"
#include "apps/cli/verbs.h"
#include "pulsecast/benchmark/study_file.h"
#include "pulsecast/benchmark/sweep_report.h"

namespace pulsecast::cli {
namespace {

struct SweepArguments {
  std::string file;
  std::string vary;
  bool report = false;
};

int run_sweep(const SweepArguments& arguments, const Console& console) {
  const benchmark::Sweep sweep =
      benchmark::make_sweep(benchmark::read_study(arguments.file), arguments.vary, "--vary");
  if (!arguments.report) run_shown(sweep.study, console);
  return print_report(benchmark::write_report(sweep), console);
}

Action declare_sweep(CLI::App& command) {
  auto arguments = std::make_shared<SweepArguments>();
  command
      .add_option("file", arguments->file,
                  "a study as of 'pulsecast benchmark': models, datasets, horizons, seeds")
      ->required()
      ->type_name("FILE.toml");
  command
      .add_option("--vary", arguments->vary,
                  "a setting and its values; 'pulsecast settings' lists what there is")
      ->required()
      ->type_name("SETTING=VALUE,VALUE...");
  command.add_flag("--report", arguments->report,
                   "write the report of what is finished; train nothing");
  return [arguments](const Console& console) { return run_sweep(*arguments, console); };
}

}  // namespace

const Verb kSweep = {
    "sweep", "vary one setting over a study and plot what it does to the error",
    "  pulsecast sweep study.toml --vary codebook-rows=1,12,24,48,96\n"
    "  pulsecast sweep study.toml --vary mixup-alpha=0.1,0.5,1,2   # may be stopped and started\n",
    declare_sweep, study_verb_words};

}  // namespace pulsecast::cli
