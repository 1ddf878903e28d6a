// pulsecast demo: from a file of drifting series to a picture of their forecast, in under a minute.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/interrupt.h"
#include "apps/cli/terminal/chart.h"
#include "apps/cli/terminal/progress.h"
#include "apps/cli/terminal/terminal.h"
#include "apps/cli/threads.h"
#include "apps/cli/verbs.h"
#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/folder.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/doctor/doctor.h"
#include "pulsecast/data/readers/read_table.h"
#include "pulsecast/data/repair/repair.h"
#include "pulsecast/data/synthetic/synthetic.h"
#include "pulsecast/forecaster.h"

namespace pulsecast::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// A folder that is gone when the demo is, unless the user wants to keep it.
class Folder {
 public:
  explicit Folder(const std::string& keep) : is_kept_(!keep.empty()) {
    path_ = is_kept_ ? fs::path(keep)
                     : fs::temp_directory_path() / fmt::format("pulsecast-demo-{}", ::getpid());
    make_folder(path_);
  }
  ~Folder() {
    std::error_code ignored;
    if (!is_kept_) fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path file(const char* name) const { return path_ / name; }

 private:
  bool is_kept_;
  fs::path path_;
};

SyntheticSettings drifting() {
  SyntheticSettings settings;
  settings.rows = 4000;
  settings.channels = 3;
  settings.regimes = 2;
  settings.phase_drift = 0.3;
  settings.noise_swing = 0.5;
  settings.missing = 0.005;
  return settings;
}

// What a person watches; with --json there is one result, at the end.
void show(const Console& console, const std::string& text) {
  if (!console.json) console.print(text);
}

void heading(const Console& console, const std::string& text) {
  show(console, "\n$ pulsecast " + text + "\n");
}

void write_csv_file(const Synthetic& synthetic, std::int64_t decimals, const fs::path& path) {
  AtomicFile file(path.string());
  write_csv(synthetic, decimals, [&](std::string_view piece) { file.write(piece); });
  file.commit();
}

std::string scores_text(const Evaluation& evaluation) {
  std::string text = fmt::format("{:<24}{:>9}{:>9}\n", "", "MSE", "MAE");
  const auto add = [&](const Scored& scored) {
    text += fmt::format("{:<24}{:>9.4f}{:>9.4f}\n", scored.name, scored.scaled.overall.mse,
                        scored.scaled.overall.mae);
  };
  add(evaluation.model);
  for (const Scored& baseline : evaluation.baselines) add(baseline);
  return text;
}

Json scores_json(const Evaluation& evaluation) {
  Json scores = Json::array();
  const auto add = [&](const Scored& scored) {
    scores.push_back({{"name", scored.name},
                      {"mse", scored.scaled.overall.mse},
                      {"mae", scored.scaled.overall.mae}});
  };
  add(evaluation.model);
  for (const Scored& baseline : evaluation.baselines) add(baseline);
  return scores;
}

std::string picture(const Series& series, const SeriesForecast& forecast) {
  constexpr std::size_t kHistory = 120;
  const auto cut = static_cast<std::size_t>(
      std::ranges::upper_bound(series.stamps, forecast.cutoff) - series.stamps.begin());
  const std::size_t H = forecast.stamps.size();
  const Channel& channel = series.channels.front();
  const auto values = [&](std::size_t from, std::size_t to) {
    return std::vector<double>(channel.values.begin() + static_cast<std::ptrdiff_t>(from),
                               channel.values.begin() + static_cast<std::ptrdiff_t>(to));
  };
  const ForecastRange& range = forecast.channels.front().ranges.front();
  const std::vector<ChartLine> lines = {
      {fmt::format("{:g} % range", range.level), kHistory, range.low, Ink::kRed, Pattern::kDotted,
       '-'},
      {"", kHistory, range.high, Ink::kRed, Pattern::kDotted, '-'},
      {"history", 0, values(cut - kHistory, cut), Ink::kDefault, Pattern::kSolid, '*'},
      {"truth", kHistory, values(cut, std::min(cut + H, series.rows())), Ink::kBlue,
       Pattern::kDotted, '.'},
      {"forecast", kHistory, forecast.channels.front().values, Ink::kRed, Pattern::kDashed, 'o'}};
  const std::vector<ChartLabel> labels = {
      {0, to_text(series.stamps[cut - kHistory], series.zone).substr(0, 16)},
      {kHistory, to_text(forecast.stamps.front(), series.zone).substr(0, 16)}};
  return draw_chart(lines, labels,
                    {.width = std::min<std::size_t>(terminal_width(stdout), 110),
                     .height = 18,
                     .dots = environment_is_utf8() ? Dots::kBraille : Dots::kAscii,
                     .colour = takes_colour(stdout)});
}

int demo(const std::string& keep, const Console& console) {
  const Folder folder(keep);
  const fs::path csv = folder.file("demo.csv");
  const SyntheticSettings made = drifting();
  heading(console, "data make demo.csv --rows 4000 --channels 3 --regimes 2 --phase-drift 0.3 ...");
  write_csv_file(Synthetic(made), made.decimals, csv);

  heading(console, "check demo.csv");
  Settings settings;
  const Threads threads = threads_of(console);
  Table table = read_table(csv.string(), settings.data, *threads.pool(), interruptible());
  const Diagnosis diagnosis = examine(table, settings.data);
  show(console,
       fmt::format("{} x {}, period {}; {}, mended by --fill seasonal\n",
                   counted(diagnosis.rows, "row"), counted(diagnosis.columns.size(), "column"),
                   diagnosis.period.period ? diagnosis.period.period->lag : 1,
                   counted(diagnosis.findings.size(), "finding")));

  heading(console, "train demo.csv --horizon 48 --fill seasonal --split 0.7,0.1,0.2 --epochs 12");
  settings.data.horizon = "48";
  settings.data.fill = Fill::kSeasonal;
  settings.data.split = "0.7,0.1,0.2";
  settings.training.epochs = 12;
  Progress progress(stderr, {.mode = Progress::mode_for(stderr, console.quiet)});
  FitOptions options{.threads = threads, .watch = interruptible()};
  options.on_plan = [&](const FitPlan& plan) {
    for (const train::Decision& decision : plan.decisions) {
      show(console,
           fmt::format("  {:<14} {}  ({})\n", decision.what, decision.value, decision.why));
    }
  };
  options.on_step = [&](const train::StepReport& step) {
    progress.update(step.epoch, step.epochs, step.step, step.steps, step.mean_loss);
  };
  const auto model =
      fit(Observations(repair(std::move(table), settings.data).series), settings, options);
  progress.done();
  model->save(folder.file("demo.model"));
  const artifact::Origin& origin = model->card().origin;
  show(console, fmt::format("demo.model: best epoch {} of {}, validation MSE {:.4f}, {:.1f} s\n",
                            origin.best_epoch, origin.history.size(), origin.best_validation,
                            origin.seconds));

  heading(console, "evaluate demo.model demo.csv");
  const Observations observed = model->read(csv.string(), threads, interruptible());
  const auto [evaluation, rows] =
      model->evaluate(observed, Part::kHeldOut, threads, interruptible());
  show(console, fmt::format("{} windows that the model has not seen\n", evaluation.windows) +
                    scores_text(evaluation));

  const std::size_t origin_row = rows.begin + rows.size() / 2;
  const Instant at = observed.stamps()[origin_row];
  heading(console, fmt::format("forecast demo.model demo.csv --level 80 --at '{}'",
                               to_text(at, observed.zone())));
  const SeriesForecast forecast = model->forecast(observed, {.at = at, .levels = {80.0}});
  show(console, fmt::format("{}\n", forecast.channels.front().channel) +
                    picture(observed.series(), forecast));
  if (!keep.empty()) show(console, fmt::format("\nThe files are in {}\n", keep));
  if (console.json) {
    console.print_json({{"folder", keep.empty() ? Json(nullptr) : Json(keep)},
                        {"rows", diagnosis.rows},
                        {"findings", diagnosis.findings.size()},
                        {"best_epoch", origin.best_epoch},
                        {"validation_mse", origin.best_validation},
                        {"windows", evaluation.windows},
                        {"scores", scores_json(evaluation)},
                        {"cutoff", to_iso_text(forecast.cutoff, forecast.zone)},
                        {"forecast", forecast.channels.front().values}});
  }
  return kDone;
}

Action declare_demo(CLI::App& command) {
  auto keep = std::make_shared<std::string>();
  command.add_option("--keep", *keep, "folder to leave the demo's files in")->type_name("FOLDER");
  return [keep](const Console& console) { return demo(*keep, console); };
}

}  // namespace

const Verb kDemo = {"demo", "show everything on a drifting series, in under a minute",
                    "  pulsecast demo\n"
                    "  pulsecast demo --keep demo-files\n"
                    "  pulsecast demo --json\n",
                    declare_demo};

}  // namespace pulsecast::cli
