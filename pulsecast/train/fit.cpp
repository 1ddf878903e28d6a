#include "pulsecast/train/fit.h"

#include <fmt/format.h>

#include <chrono>

#include "pulsecast/base/counted.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/settings/catalogue.h"
#include "pulsecast/settings/value_text.h"
#include "pulsecast/train/completion.h"

namespace pulsecast::train {
namespace {

// "model.patch: 24" a line for everything that a run's bits depend on beside code and CPU.
std::string fingerprint_of(const Settings& settings, const Plan& plan, RowRange rows,
                           const std::string& data_checksum) {
  std::string text =
      fmt::format("data checksum: {}\nrows: {} to {}\n", data_checksum, rows.begin, rows.end);
  Settings copy = settings;
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

// One training: on `rows`, validated on `validation` unless that is empty.
void train_on(const Run& run, RowRange rows, RowRange validation, const std::string& suffix,
              const Regimen& regimen, Fitted& fitted) {
  const Plan& plan = fitted.plan;
  const std::size_t T = plan.shape.lookback;
  const std::size_t H = plan.shape.horizon;
  fitted.trained = rows;
  fitted.scaler = Scaler::fit(run.series, rows);
  const ScaledSeries scaled(run.series, fitted.scaler, plan.calendar);
  const Windows windows(scaled, T, H, rows, History::kInside);
  require_windows(windows, run.series, rows, "training", T, H);
  std::optional<Windows> held_out;
  if (validation.size() > 0) {
    held_out.emplace(scaled, T, H, validation, History::kReaches);
    require_windows(*held_out, run.series, validation, "validation", T, H);
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
    task.checkpoint = {run.hooks.checkpoint->string() + suffix,
                       fingerprint_of(run.settings, plan, rows, run.hooks.data_checksum),
                       run.hooks.resume};
  }
  fitted.result = train(task, run.pool);
  fitted.training_windows = windows.size();
  fitted.validation_windows = held_out ? held_out->size() : 0;
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

}  // namespace

Fitted fit(const Series& series, const Settings& told, bool refit, const FitHooks& hooks,
           ThreadPool& pool) {
  const auto start = std::chrono::steady_clock::now();
  const Settings settings = complete(told);
  const Regimen regimen = regimen_of(settings.training);
  const Run run{series, settings, hooks, pool};
  Fitted fitted;
  fitted.plan = make_plan(series, settings);
  if (hooks.on_plan) hooks.on_plan(fitted.plan);
  const Split& split = fitted.plan.split;
  train_on(run, split.train, split.validation, "", regimen, fitted);
  if (refit) {
    const TrainingResult validated = std::move(fitted.result);
    const std::size_t validation_windows = fitted.validation_windows;
    Regimen again = regimen;
    again.epochs = validated.best_epoch;
    hooks.watch.remark(fmt::format("training again on all {}, for {}",
                                   counted(split.validation.end, "row"),
                                   counted(again.epochs, "epoch")));
    FitHooks after = hooks;
    if (hooks.on_epoch) after.on_epoch = following(validated.history, hooks.on_epoch);
    const Run second{series, settings, after, pool};
    train_on(second, {split.train.begin, split.validation.end}, {}, ".refit", again, fitted);
    // What was validated is the first training; the second has no such number of its own.
    fitted.result = {validated.best_epoch, validated.best_validation, validated.history,
                     std::max(validated.memory, fitted.result.memory)};
    fitted.validation_windows = validation_windows;
  }
  fitted.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return fitted;
}

}  // namespace pulsecast::train
