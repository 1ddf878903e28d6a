// pulsecast benchmark FILE.toml: models against each other on the same test windows.

#include <memory>

#include "apps/cli/study_run.h"
#include "apps/cli/verbs.h"
#include "pulsecast/benchmark/report.h"
#include "pulsecast/benchmark/study_file.h"

namespace pulsecast::cli {
namespace {

struct BenchmarkArguments {
  std::string file;
  bool report = false;
};

int run_benchmark(const BenchmarkArguments& arguments, const Console& console) {
  const benchmark::Study study = benchmark::read_study(arguments.file);
  if (!arguments.report) run_shown(study, console);
  return print_report(benchmark::write_report(study), console);
}

Action declare_benchmark(CLI::App& command) {
  auto arguments = std::make_shared<BenchmarkArguments>();
  command.add_option("file", arguments->file, "what to compare: models, datasets, horizons, seeds")
      ->required()
      ->type_name("FILE.toml");
  command.add_flag("--report", arguments->report,
                   "write the report of what is finished; train nothing");
  return [arguments](const Console& console) { return run_benchmark(*arguments, console); };
}

}  // namespace

const Verb kBenchmark = {
    "benchmark", "compare models over datasets, horizons and seeds, and report it",
    "  pulsecast benchmark study.toml              # may be stopped and started again\n"
    "  pulsecast benchmark study.toml --report     # of what is finished so far\n",
    declare_benchmark, study_verb_words};

}  // namespace pulsecast::cli
