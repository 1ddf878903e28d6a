#include "pulsecast/train/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/error.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/settings/catalogue.h"
#include "pulsecast/settings/value_text.h"
#include "pulsecast/train/calibration_split.h"
#include "pulsecast/train/checkpoint.h"
#include "pulsecast/train/companion.h"
#include "pulsecast/train/completion.h"
#include "pulsecast/train/range_fit.h"
#include "pulsecast/train/ridge.h"
#include "pulsecast/train/training_rows.h"
#include "pulsecast/train/validation.h"

namespace pulsecast::train {
namespace {

constexpr const char* kRefit = ".refit";  // ends the name of the second training's checkpoint

struct Run {
  const Series& series;
  const Settings& settings;  // complete
  const FitHooks& hooks;
  ThreadPool& pool;
};

// A second training has as many epochs as validated best, so that of another number is another.
std::string again_text(const std::string& suffix, const Regimen& regimen) {
  return suffix == kRefit ? fmt::format("epochs again: {}\n", regimen.epochs) : std::string();
}

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

// As with the companion, what the validated training found stands for the second one.
void add_effects(const Run& run, const Part& training, const Part& validation, Fitted& fitted) {
  const Plan& plan = fitted.plan;
  if (!has_effects(run.series, plan)) return;
  if (validation.rows.size() == 0) {
    fitted.effects =
        find_effects_again(fitted.effects, run.series, plan, fitted.scaler, training, run.pool);
    return;
  }
  fitted.effects = find_effects(run.series, plan, fitted.scaler, training, validation, run.pool);
  const Decision decision = decision_of_effects(fitted.effects, run.series, plan);
  run.hooks.watch.remark(fmt::format("effects of {}: {}", decision.value, decision.why));
  fitted.plan.decisions.push_back(decision);
}

// The same, of the columns that say something of a series.
void add_profiles(const Run& run, const Part& training, const Part& validation, Fitted& fitted) {
  const Plan& plan = fitted.plan;
  if (!has_statics(run.series, plan)) return;
  const PanelGround ground{run.series, plan, fitted.scaler, fitted.effects, training};
  if (validation.rows.size() == 0) {
    fitted.statics = find_profiles_again(fitted.statics, ground);
    return;
  }
  fitted.statics = find_profiles(ground);
  for (const Decision& decision : fitted.statics.decisions) {
    run.hooks.watch.remark(fmt::format("{}: {}, {}", decision.what, decision.value, decision.why));
    fitted.plan.decisions.push_back(decision);
  }
}

// One training: on `training`, validated on `validation` unless that has no rows, with ranges from
// `kept`.
void train_on(const Run& run, const Part& training, const Part& validation, const Part& kept,
              const std::string& suffix, const Regimen& regimen, Fitted& fitted) {
  const Plan& plan = fitted.plan;
  const std::size_t T = plan.shape.lookback;
  const std::size_t H = plan.shape.horizon;
  const RowRange rows = training.rows;
  fitted.trained = rows;
  fitted.scaler = scaler_of(run.series, plan, training);
  if (!run.hooks.rehearse) add_effects(run, training, validation, fitted);
  if (!run.hooks.rehearse) add_profiles(run, training, validation, fitted);
  const KnownUse known = known_use(fitted.effects, fitted.statics, plan);
  const ScaledSeries scaled = scaled_for(run.series, fitted.scaler, plan, T, known);
  const Windows windows = windows_of(scaled, plan, T, training, History::kInside);
  require_windows(windows, run.series, rows, "training", T, H);
  std::optional<Windows> held_out;
  if (validation.rows.size() > 0) {
    held_out.emplace(windows_of(scaled, plan, T, validation, History::kReaches));
    require_windows(*held_out, run.series, validation.rows, "validation", T, H);
  }
  if (run.hooks.rehearse) {
    fitted.training_windows = windows.size();
    fitted.validation_windows = held_out ? held_out->size() : 0;
    return;
  }
  fitted.ensemble = model::Ensemble(std::make_unique<model::Pulse>(plan.shape));
  model::Pulse& pulse = fitted.ensemble.lead();
  pulse.initialise(static_cast<std::uint64_t>(regimen.seed));
  if (run.hooks.start) run.hooks.start(pulse);
  TrainingTask task{.pulse = pulse,
                    .training = windows,
                    .validation = held_out ? &*held_out : nullptr,
                    .settings = regimen,
                    .batch = plan.batch,
                    .epoch_steps = plan.epoch_steps,
                    .watch = run.hooks.watch,
                    .on_step = run.hooks.on_step,
                    .on_epoch = run.hooks.on_epoch};
  if (run.hooks.checkpoint) {
    task.checkpoint =
        checkpoint_plan(run, suffix,
                        fingerprint_of(run.settings, plan, rows, run.hooks.data_checksum) +
                            again_text(suffix, regimen));
  }
  task.strengths = fitted.result.strengths;  // of a training before this one
  fitted.result =
      regimen.solver == Solver::kRidge ? solve_ridge(task, run.pool) : train(task, run.pool);
  fitted.training_windows = windows.size();
  if (pulse.companion() != nullptr) add_companion(run, task, fitted);
  if (!held_out) return;
  fitted.validation_windows = held_out->size();
  if (kept.rows.size() > 0) {
    add_ranges(scaled, training, *held_out, kept, run.pool, run.hooks.watch, fitted);
  }
  measure_naive(run.series, validation, *held_out, run.pool, fitted);
}

}  // namespace

void measure_naive(const Series& series, const Part& validation, const Windows& held_out,
                   ThreadPool& pool, Fitted& fitted) {
  const Plan& plan = fitted.plan;
  const auto measure = [&](const Windows& windows) {
    fitted.naive_validation = naive_mse(windows, 1, plan.batch, pool);
    fitted.seasonal_validation = naive_mse(windows, plan.shape.period, plan.batch, pool);
  };
  if (!known_use(fitted.effects, fitted.statics, plan).takes_off()) return measure(held_out);
  // Repeating values knows of no column.
  const std::size_t T = plan.shape.lookback;
  const ScaledSeries plain = scaled_for(series, fitted.scaler, plan, T, {nullptr, false});
  measure(windows_of(plain, plan, T, validation, History::kReaches));
}

namespace {

// On scaled data, whose variance is about 1. On a random walk the last value is the best forecast
// there is, so a model may well be somewhat worse; of a constant there is nothing to learn.
bool is_far_above_naive(double error, double naive) {
  constexpr double kFar = 2.0;
  constexpr double kNegligible = 0.01;
  return naive > 0.0 && error > kFar * naive + kNegligible;
}

}  // namespace

std::vector<std::string> warnings_of(const Fitted& fitted) {
  std::vector<std::string> warnings;
  if (const std::optional<Fault>& fault = fitted.result.fault) {
    warnings.push_back(fmt::format(
        "training ended at epoch {}, step {}, where the loss or its gradient is not finite (loss "
        "{}); the model is that of epoch {}",
        fault->epoch, fault->step, fault->loss, fitted.result.best_epoch));
  }
  if (fitted.result.is_ended) {
    warnings.emplace_back("training was ended early: this is the best that it had come to");
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

namespace {

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
  refitted.result.strengths = fitted.result.strengths;
  refitted.effects = fitted.effects;
  refitted.statics = fitted.statics;
  try {
    train_on(second, part_of(fitted.plan, &Split::train, &Split::validation), {}, {}, kRefit, again,
             refitted);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kTraining) throw;
    fitted.warnings.push_back(fmt::format(
        "the training on all rows came to nothing ({}: {}); the model is the validated one",
        error.where(), error.message()));
    return;
  }
  // What was validated is the first training; the second has no such number of its own.
  rescale_ranges(refitted.scaler, fitted);
  fitted.scaler = refitted.scaler;
  fitted.effects = std::move(refitted.effects);
  fitted.statics = std::move(refitted.statics);
  fitted.ensemble = std::move(refitted.ensemble);
  fitted.trained = refitted.trained;
  fitted.training_windows = refitted.training_windows;
  fitted.result.memory = std::max(fitted.result.memory, refitted.result.memory);
  fitted.result.seconds_before += refitted.result.seconds_before;
  fitted.is_refit = true;
}

}  // namespace

std::string fingerprint_of(const Settings& settings, const Plan& plan, RowRange rows,
                           const std::string& data_checksum) {
  // When to save changes no bit, nor does when to end, which whoever resumes may change; and what a
  // recipe sets is here setting by setting.
  constexpr std::array<std::string_view, 5> kNotOfARun{"checkpoint-seconds", "recipe", "epochs",
                                                       "patience", "budget"};
  std::string text =
      fmt::format("data checksum: {}\nrows: {} to {}\n", data_checksum, rows.begin, rows.end);
  Settings copy = settings;
  for (const BoundSetting& setting : bind_all(copy)) {
    if (std::ranges::count(kNotOfARun, setting.info->name) > 0) continue;
    text += fmt::format("{}.{}: {}\n", setting.info->section, setting.info->name,
                        joined(setting.values()));
  }
  for (const Decision& decision : plan.decisions) {
    text += fmt::format("chosen {}: {}\n", decision.what, decision.value);
  }
  return text;
}

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
  Part validation = part_of(plan, &Split::validation, &Split::validation);
  const Part kept = take_calibration(plan, *settings.training.calibration, validation);
  train_on(run, part_of(plan, &Split::train, &Split::train), validation, kept, "", regimen, fitted);
  if (hooks.rehearse) return fitted;
  fitted.warnings = warnings_of(fitted);
  if (refit && !fitted.result.is_ended) train_again(run, regimen, fitted);
  fitted.seconds = fitted.result.seconds_before +
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return fitted;
}

}  // namespace pulsecast::train
