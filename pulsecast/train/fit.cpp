#include "pulsecast/train/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/error.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/settings/catalogue.h"
#include "pulsecast/settings/value_text.h"
#include "pulsecast/train/checkpoint.h"
#include "pulsecast/train/companion.h"
#include "pulsecast/train/completion.h"
#include "pulsecast/train/ridge.h"
#include "pulsecast/train/validation.h"

namespace pulsecast::train {
namespace {

constexpr const char* kRefit = ".refit";  // ends the name of the second training's checkpoint

// "model.patch: 24" a line for everything that a run's bits depend on beside code and CPU.
std::string fingerprint_of(const Settings& settings, std::int64_t epochs, const Plan& plan,
                           RowRange rows, const std::string& data_checksum) {
  std::string text =
      fmt::format("data checksum: {}\nrows: {} to {}\n", data_checksum, rows.begin, rows.end);
  Settings copy = settings;
  copy.training.epochs = epochs;  // of the second training as many as validated best
  for (const BoundSetting& setting : bind_all(copy)) {
    // When to save changes no bit, and what a recipe sets is here setting by setting.
    if (setting.info->name == "checkpoint-seconds" || setting.info->name == "recipe") continue;
    text += fmt::format("{}.{}: {}\n", setting.info->section, setting.info->name,
                        joined(setting.values()));
  }
  for (const Decision& decision : plan.decisions) {
    text += fmt::format("chosen {}: {}\n", decision.what, decision.value);
  }
  return text;
}

struct Run {
  const Series& series;
  const Settings& settings;  // complete
  const FitHooks& hooks;
  ThreadPool& pool;
};

std::filesystem::path checkpoint_of(const FitHooks& hooks, const std::string& suffix) {
  return hooks.checkpoint->string() + suffix;
}

// Where a training is saved, and whether it goes on from there. The second training of an older run
// may have left its file: this run's own second one begins anew then, rather than end there after
// all the time of its first.
CheckpointPlan checkpoint_plan(const Run& run, const std::string& suffix,
                               const std::string& fingerprint) {
  CheckpointPlan task{checkpoint_of(run.hooks, suffix), fingerprint, run.hooks.resume,
                      run.hooks.allow_other_cpu};
  if (suffix == kRefit && task.resume && std::filesystem::exists(task.path) &&
      !is_checkpoint_of(task.path, fingerprint)) {
    task.resume = false;
    run.hooks.watch.remark(fmt::format("{} is of another run; the training on all rows begins anew",
                                       task.path.string()));
  }
  return task;
}

// What the validated training found stands for the second one too, which has nothing to find it on.
void add_companion(const Run& run, const TrainingTask& task, Fitted& fitted) {
  if (task.validation == nullptr) {
    if (fitted.companion) refit_companion(task, *fitted.companion, run.pool);
    return;
  }
  const double own = fitted.result.best_validation;
  fitted.companion = fit_companion(task, own, run.pool);
  fitted.result.best_validation = fitted.companion->together;
  const Decision decision{
      "companion", fmt::format("a ridge, {:.0f} %", 100.0 * fitted.companion->share),
      fmt::format("validation MSE {:.4f}; without it {:.4f}, the ridge alone {:.4f}",
                  fitted.companion->together, own, fitted.companion->alone)};
  run.hooks.watch.remark(fmt::format("{} of the forecast: {}", decision.value, decision.why));
  fitted.plan.decisions.push_back(decision);
}

// Rows of the grid, and of a panel those of each series in them.
struct Part {
  RowRange rows;
  std::vector<RowRange> of_series;
};

Part part_of(const Plan& plan, RowRange Split::*first, RowRange Split::*last) {
  Part part{{(plan.split.*first).begin, (plan.split.*last).end}, {}};
  for (const Split& split : plan.series_splits) {
    part.of_series.push_back({(split.*first).begin, (split.*last).end});
  }
  return part;
}

// Of a panel a sample of the windows tells which epoch is best: some of every series.
constexpr std::size_t kMostValidationWindows = 1 << 16;

Windows windows_of(const ScaledSeries& scaled, const Plan& plan, const Part& part,
                   History history) {
  const model::ModelShape& shape = plan.shape;
  if (!plan.is_panel()) return {scaled, shape.lookback, shape.horizon, part.rows, history};
  const WindowSize size{shape.lookback, shape.horizon, shape.period};
  const bool inside = history == History::kInside;
  return {scaled, size,
          SeriesWindows(scaled, size, part.of_series, inside, inside ? 0 : kMostValidationWindows)};
}

ScaledSeries scaled_for(const Series& series, const Scaler& scaler, const Plan& plan) {
  if (!plan.is_panel()) return {series, scaler, plan.calendar};
  return ScaledSeries::panel(series, scaler, plan.calendar, plan.shape.lookback);
}

// One training: on `training`, validated on `validation` unless that has no rows.
void train_on(const Run& run, const Part& training, const Part& validation,
              const std::string& suffix, const Regimen& regimen, Fitted& fitted) {
  const Plan& plan = fitted.plan;
  const std::size_t T = plan.shape.lookback;
  const std::size_t H = plan.shape.horizon;
  const RowRange rows = training.rows;
  fitted.trained = rows;
  fitted.scaler = plan.is_panel()
                      ? Scaler::fit_each(run.series, training.of_series, plan.shape.period)
                      : Scaler::fit(run.series, rows);
  const ScaledSeries scaled = scaled_for(run.series, fitted.scaler, plan);
  const Windows windows = windows_of(scaled, plan, training, History::kInside);
  require_windows(windows, run.series, rows, "training", T, H);
  std::optional<Windows> held_out;
  if (validation.rows.size() > 0) {
    held_out.emplace(windows_of(scaled, plan, validation, History::kReaches));
    require_windows(*held_out, run.series, validation.rows, "validation", T, H);
  }
  if (run.hooks.rehearse) {
    fitted.training_windows = windows.size();
    fitted.validation_windows = held_out ? held_out->size() : 0;
    return;
  }
  fitted.pulse = std::make_unique<model::Pulse>(plan.shape);
  fitted.pulse->initialise(static_cast<std::uint64_t>(regimen.seed));
  TrainingTask task{.pulse = *fitted.pulse,
                    .training = windows,
                    .validation = held_out ? &*held_out : nullptr,
                    .settings = regimen,
                    .batch = plan.batch,
                    .epoch_steps = plan.epoch_steps,
                    .watch = run.hooks.watch,
                    .on_step = run.hooks.on_step,
                    .on_epoch = run.hooks.on_epoch};
  if (run.hooks.checkpoint) {
    task.checkpoint = checkpoint_plan(
        run, suffix,
        fingerprint_of(run.settings, regimen.epochs, plan, rows, run.hooks.data_checksum));
  }
  fitted.result =
      regimen.solver == Solver::kRidge ? solve_ridge(task, run.pool) : train(task, run.pool);
  fitted.training_windows = windows.size();
  if (fitted.pulse->companion() != nullptr) add_companion(run, task, fitted);
  if (!held_out) return;
  fitted.validation_windows = held_out->size();
  fitted.naive_validation = naive_mse(*held_out, plan.batch, run.pool);
}

// On scaled data, whose variance is about 1. On a random walk the last value is the best forecast
// there is, so a model may well be somewhat worse; of a constant there is nothing to learn.
bool is_far_above_naive(double error, double naive) {
  constexpr double kFar = 2.0;
  constexpr double kNegligible = 0.01;
  return naive > 0.0 && error > kFar * naive + kNegligible;
}

std::vector<std::string> warnings_of(const Fitted& fitted) {
  std::vector<std::string> warnings;
  if (const std::optional<Fault>& fault = fitted.result.fault) {
    warnings.push_back(fmt::format(
        "training ended at epoch {}, step {}, where the loss or its gradient is not finite (loss "
        "{}); the model is that of epoch {}",
        fault->epoch, fault->step, fault->loss, fitted.result.best_epoch));
  }
  // A companion may make good what training spoilt; it is to be known all the same.
  const double own = fitted.companion ? fitted.companion->own : fitted.result.best_validation;
  if (is_far_above_naive(own, fitted.naive_validation)) {
    warnings.push_back(fmt::format(
        "the model is far worse than naive: its validation MSE is {:.4g}, that of repeating the "
        "last value {:.4g}; training diverged, or the rows hold nothing that can be learnt",
        own, fitted.naive_validation));
  }
  return warnings;
}

// Epochs of the second training are told of as coming after those of the first.
std::function<void(std::span<const EpochRecord>, bool)> following(
    const std::vector<EpochRecord>& first,
    const std::function<void(std::span<const EpochRecord>, bool)>& tell) {
  return [first, tell](std::span<const EpochRecord> history, bool is_best) {
    std::vector<EpochRecord> all = first;
    all.insert(all.end(), history.begin(), history.end());
    tell(all, is_best);
  };
}

// The validated model trained anew on every row, for as many epochs as were best. `fitted` stays as
// it is where that comes to nothing finite.
void train_again(const Run& first, const Regimen& regimen, Fitted& fitted) {
  const Split& split = fitted.plan.split;
  Regimen again = regimen;
  again.epochs = fitted.result.best_epoch;
  first.hooks.watch.remark(fmt::format("training again on all {}, for {}",
                                       counted(split.validation.end, "row"),
                                       counted(again.epochs, "epoch")));
  FitHooks after = first.hooks;
  if (after.on_epoch) after.on_epoch = following(fitted.result.history, after.on_epoch);
  const Run second{first.series, first.settings, after, first.pool};
  Fitted refitted;
  refitted.plan = fitted.plan;
  refitted.companion = fitted.companion;
  try {
    train_on(second, part_of(fitted.plan, &Split::train, &Split::validation), {}, kRefit, again,
             refitted);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kTraining) throw;
    fitted.warnings.push_back(fmt::format(
        "the training on all rows came to nothing ({}: {}); the model is the validated one",
        error.where(), error.message()));
    return;
  }
  // What was validated is the first training; the second has no such number of its own.
  fitted.scaler = refitted.scaler;
  fitted.pulse = std::move(refitted.pulse);
  fitted.trained = refitted.trained;
  fitted.training_windows = refitted.training_windows;
  fitted.result.memory = std::max(fitted.result.memory, refitted.result.memory);
  fitted.is_refit = true;
}

}  // namespace

Fitted fit(const Series& series, const Settings& told, bool refit, const FitHooks& hooks,
           ThreadPool& pool) {
  const auto start = std::chrono::steady_clock::now();
  Settings settings = complete(told);
  Fitted fitted;
  fitted.plan = make_plan(series, settings);
  settings.training.learning_rate = fitted.plan.settings.training.learning_rate;
  settings.training.loss = fitted.plan.settings.training.loss;
  const Regimen regimen = regimen_of(settings.training);
  const Run run{series, settings, hooks, pool};
  if (hooks.on_plan) hooks.on_plan(fitted.plan);
  if (hooks.checkpoint && !hooks.resume) std::filesystem::remove(checkpoint_of(hooks, kRefit));
  const Plan& plan = fitted.plan;
  train_on(run, part_of(plan, &Split::train, &Split::train),
           part_of(plan, &Split::validation, &Split::validation), "", regimen, fitted);
  if (hooks.rehearse) return fitted;
  fitted.warnings = warnings_of(fitted);
  if (refit) train_again(run, regimen, fitted);
  fitted.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return fitted;
}

}  // namespace pulsecast::train
