#include "pulsecast/benchmark/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "pulsecast/base/arena.h"
#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/cpu_type.h"
#include "pulsecast/base/folder.h"
#include "pulsecast/base/sha256.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/benchmark/rerun_command.h"
#include "pulsecast/data/read_series.h"
#include "pulsecast/data/series/panel_choice.h"
#include "pulsecast/data/series/series_checksum.h"
#include "pulsecast/evaluate/forecast_file.h"
#include "pulsecast/model/inference.h"
#include "pulsecast/train/past_columns.h"

namespace pulsecast::benchmark {
namespace {

namespace fs = std::filesystem;

fs::path checkpoint_of(const RunKey& key, const fs::path& out) {
  return out / "unfinished" / (file_stem(key) + ".checkpoint");
}

fs::path scorings_of(const RunKey& key, const fs::path& out) {
  return out / "unfinished" / (file_stem(key) + ".scorings");
}

// Counts, before test rows are looked at, how often that happens: a kill in between is not
// forgotten.
std::size_t count_scoring(const RunKey& key, const fs::path& out) {
  const fs::path file = scorings_of(key, out);
  std::size_t before = 0;
  std::ifstream(file) >> before;
  write_file(file, std::string_view(std::to_string(before + 1)));
  return before + 1;
}

// Floating-point operations of one window's forecast.
std::size_t flops_of(const TestRows& rows, model::Inference& inference) {
  Arena arena;
  Batch batch = allocate_batch(rows.windows().shape(1), arena);
  const std::uint32_t first = 0;
  rows.windows().gather({&first, 1}, batch);
  Forecast forecast = allocate_forecast(batch.shape, arena);
  inference.forecast(batch, forecast);
  return inference.spent();
}

// What is forecast, of windows from `first` on, with what was taken off; in `values`.
Forecast with_effects(const TestRows& rows, std::size_t first, Forecast forecast,
                      std::vector<float>& values) {
  const std::size_t H = forecast.horizon;
  values.assign(forecast.values.begin(), forecast.values.end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t c = i / H % forecast.channels;
    const std::size_t window = first + i / (H * forecast.channels);
    const std::size_t row = rows.scaled().lead() + rows.first_target(window) + i % H;
    values[i] += rows.scaled().effect(rows.target_of(window, c), row);
  }
  forecast.values = values;
  return forecast;
}

Scoring score_model(const TestRows& rows, model::Inference& inference,
                    const std::optional<fs::path>& forecasts, ThreadPool& threads) {
  const Windows& windows = rows.windows();
  const model::Inference::Keeping keeping(inference, windows.distinct_history_calendars(),
                                          windows.distinct_future_calendars());
  std::optional<ForecastFile> file;
  std::vector<float> values;
  if (forecasts) file.emplace(*forecasts, rows.forecast_windows());
  Scoring scoring = score(
      rows, [&](const Batch& batch, Forecast& forecast) { inference.forecast(batch, forecast); },
      threads,
      [&](std::size_t first, const Batch&, const Forecast& forecast) {
        if (file) file->add(first, with_effects(rows, first, forecast, values));
      });
  if (file) file->commit();
  return scoring;
}

train::FitHooks fit_hooks(const Task& task, const fs::path& out, const RunHooks& hooks,
                          const std::string& data_checksum) {
  train::FitHooks fit;
  fit.checkpoint = checkpoint_of(task.key, out);
  fit.data_checksum = data_checksum;
  fit.resume = true;
  fit.allow_other_cpu = true;  // errors are compared, not bits; a remark says so
  fit.watch = hooks.watch;
  fit.on_step = hooks.on_step;
  fit.on_epoch = hooks.on_epoch;
  return fit;
}

// Every contender is scored on the same windows: those of each series where the rows are a panel's,
// also for a backbone that would look across channels; else those of whole rows.
Settings with_windows_of(const Series& series, Settings settings) {
  if (!settings.data.panel) {
    settings.data.panel = why_each_alone(series) ? Panel::kSeries : Panel::kChannels;
  }
  return settings;
}

// The checksum of the rows.
std::string require_same_rows(const Series& series, const RunPlace& place) {
  std::string checksum = series_checksum(series);
  if (!place.data_checksum.empty() && checksum != place.data_checksum) {
    throw_error(ErrorKind::kUsage, series.source,
                "its rows are others than those of the runs in {}, so that their errors cannot be "
                "compared: put back the file, or begin anew with another 'out'",
                place.out.string());
  }
  return checksum;
}

// What a record says of the data and the settings.
RunRecord record_of_rows(const Task& task, const TestRows& rows, const std::string& checksum) {
  RunRecord record;
  record.key = task.key;
  record.protocol = task.base.protocol;
  record.settings = setting_texts(task.base.settings);
  for (const train::Decision& decision : rows.plan().decisions) {
    record.chosen.push_back(fmt::format("{} {}: {}", decision.what, decision.value, decision.why));
  }
  record.file = task.file.string();
  record.data_checksum = checksum;
  record.version = PULSECAST_VERSION;
  record.cpu = cpu_type();
  record.split = rows.plan().split;
  record.channels = rows.scaled().targets();
  record.test_windows = rows.windows().size();
  return record;
}

// The errors of every window first: a record has them.
void keep_scores(const Scoring& scoring, const fs::path& out, RunRecord& record) {
  record.mse = scoring.mse;
  record.mae = scoring.mae;
  record.mase = scoring.mase;
  record.baselines = scoring.baselines;
  record.errors = "errors/" + file_stem(record.key) + ".safetensors";
  write_errors(out / record.errors, scoring.errors);
}

}  // namespace

std::string file_checksum(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  Sha256 sum;
  std::vector<char> buffer(1 << 20);
  while (stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size())),
         stream.gcount() > 0) {
    sum.add({buffer.data(), static_cast<std::size_t>(stream.gcount())});
  }
  if (!stream.eof()) throw_error(ErrorKind::kInputOutput, file.string(), "cannot read the file");
  return sum.digest();
}

Series read_rows(const fs::path& file, const Settings& settings, ThreadPool& threads,
                 const Watch& watch) {
  Series series = read_series(file.string(), settings.data, threads, watch).series;
  const std::size_t past = std::erase_if(
      series.channels, [](const Channel& channel) { return channel.role == Role::kPast; });
  if (past > 0) {
    watch.remark(counted(past, "past column is", "past columns are") +
                 " left out: all models of a study read the same rows");
  }
  train::keep_what_models_read(series, settings);
  return series;
}

RunRecord run_task(const Task& task, const RunPlace& place, const RunHooks& hooks,
                   ThreadPool& threads) {
  const fs::path& out = place.out;
  for (const char* folder : {"unfinished", "errors"}) make_folder(out / folder);
  const Series series = read_rows(task.file, task.base.settings, threads, hooks.watch);
  const Settings settings = with_windows_of(series, task.base.settings);
  const std::string checksum = require_same_rows(series, place);
  // Before training, so that rows that are too few are known at once; no value is scored here.
  const TestRows rows(series, train::make_plan(series, settings));
  train::Fitted fitted =
      train::fit(series, settings, false, fit_hooks(task, out, hooks, checksum), threads);
  model::Inference inference(fitted.ensemble, threads);

  RunRecord record = record_of_rows(task, rows, checksum);
  record.command = rerun_command(task);
  record.training_windows = fitted.training_windows;
  record.validation_windows = fitted.validation_windows;
  for (const train::EpochRecord& epoch : fitted.result.history) {
    record.training_loss.push_back(epoch.training_loss);
    record.validation_mse.push_back(epoch.validation_mse);
    record.seconds += epoch.seconds;
  }
  record.best_epoch = fitted.result.best_epoch;
  record.weights = fitted.ensemble.learned_count();
  record.flops = flops_of(rows, inference);

  std::optional<fs::path> forecasts;
  if (place.keep_forecasts) {
    make_folder(out / "forecasts");
    forecasts = out / "forecasts" / (file_stem(task.key) + ".csv");
  }
  record.test_scorings = count_scoring(task.key, out);
  const std::optional<Effects>& effects = fitted.effects.effects;
  const std::optional<StaticProfiles>& profiles = fitted.statics.profiles;
  const TestRows scored(series, rows.plan(), effects ? &*effects : nullptr,
                        profiles ? &*profiles : nullptr);
  keep_scores(score_model(scored, inference, forecasts, threads), out, record);
  if (hooks.on_trained) hooks.on_trained(task, scored, fitted.ensemble);
  return record;
}

RunRecord score_outside(const Task& task, const fs::path& forecasts, const RunPlace& place,
                        const RunHooks& hooks, ThreadPool& threads) {
  make_folder(place.out / "errors");
  const Series series = read_rows(task.file, task.base.settings, threads, hooks.watch);
  const std::string checksum = require_same_rows(series, place);
  const TestRows rows(series,
                      train::make_plan(series, with_windows_of(series, task.base.settings)));
  ReadForecasts values(forecasts, rows.forecast_windows(), threads);
  if (values.unused() > 0) {
    hooks.watch.remark(fmt::format("{}: {} of no test window, step or channel {} left out",
                                   forecasts.string(), counted(values.unused(), "row"),
                                   values.unused() == 1 ? "is" : "are"));
  }
  RunRecord record = record_of_rows(task, rows, checksum);
  record.is_outside = true;
  record.protocol = "forecasts of another program, " + forecasts.string();
  record.forecast_checksum = file_checksum(forecasts);
  keep_scores(
      score(
          rows, [&](const Batch& batch, Forecast& forecast) { values.predict(batch, forecast); },
          threads),
      place.out, record);
  return record;
}

void finish_run(const RunKey& key, const fs::path& out) {
  fs::remove(checkpoint_of(key, out));
  fs::remove(scorings_of(key, out));
}

}  // namespace pulsecast::benchmark
