#include "pulsecast/forecaster.h"

#include <fmt/format.h>

#include <algorithm>

#include "pulsecast/base/cpu_type.h"
#include "pulsecast/base/error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/readers/read_table.h"
#include "pulsecast/data/series/series_checksum.h"
#include "pulsecast/evaluate/seasons.h"
#include "pulsecast/forecast/align.h"
#include "pulsecast/train/completion.h"

namespace pulsecast {
namespace {

artifact::StampRange range_of(const Series& series, RowRange rows) {
  if (rows.size() == 0) return {};
  return {rows.begin, rows.size(), series.stamps[rows.begin], series.stamps[rows.end - 1]};
}

artifact::Origin origin_of(const Series& series, const train::Fitted& fitted, bool refit) {
  artifact::Origin origin{.written_by = "pulsecast " PULSECAST_VERSION,
                          .cpu = cpu_type(),
                          .data_source = std::filesystem::path(series.source).filename().string(),
                          .data_sha256 = series_checksum(series),
                          .trained = range_of(series, fitted.trained),
                          .validated = range_of(series, fitted.plan.split.validation),
                          .test = range_of(series, fitted.plan.split.test),
                          .is_refit = refit,
                          .best_epoch = fitted.result.best_epoch,
                          .best_validation = fitted.result.best_validation,
                          .seconds = fitted.seconds,
                          .training_windows = fitted.training_windows,
                          .validation_windows = fitted.validation_windows,
                          .history = fitted.result.history,
                          .choices = {}};
  for (const train::Decision& decision : fitted.plan.decisions) {
    origin.choices.push_back(fmt::format("{} {}: {}", decision.what, decision.value, decision.why));
  }
  return origin;
}

// Rows of `series` whose stamps lie in a range that was recorded in training.
RowRange rows_in(const Series& series, const artifact::StampRange& range) {
  const auto begin = std::ranges::lower_bound(series.stamps, range.first);
  const auto end = std::ranges::upper_bound(series.stamps, range.last);
  const auto row = [&](auto place) {
    return static_cast<std::size_t>(place - series.stamps.begin());
  };
  // Known columns may go on past the last target.
  return {row(begin), std::max(row(begin), std::min(row(end), target_rows(series)))};
}

// The same file has the same row numbers, also where its stamps repeat or go back.
RowRange recorded_rows(const Series& series, const artifact::StampRange& range,
                       bool is_same_series) {
  if (is_same_series) return {range.begin, range.begin + range.rows};
  return rows_in(series, range);
}

RowRange rows_of(const Series& series, const artifact::Model& model, Part part) {
  const artifact::Origin& origin = model.origin;
  const bool is_same = series_checksum(series) == origin.data_sha256;
  const auto recorded = [&](const artifact::StampRange& range) {
    return range.rows == 0 ? RowRange{} : recorded_rows(series, range, is_same);
  };
  switch (part) {
    case Part::kTraining:
      return recorded(origin.trained);
    case Part::kValidation:
      return recorded(origin.validated);
    case Part::kAll:
      return {0, target_rows(series)};
    case Part::kHeldOut:
      break;
  }
  const RowRange test = recorded(origin.test);
  if (test.size() > 0) return test;
  const Instant seen = origin.validated.rows > 0 ? origin.validated.last : origin.trained.last;
  const auto after = std::ranges::upper_bound(series.stamps, seen);
  const auto begin = static_cast<std::size_t>(after - series.stamps.begin());
  return {begin, std::max(begin, target_rows(series))};
}

ThreadPoolOptions thread_options(const FitOptions& options) {
  return {.threads = options.threads, .keep_workers_off_caller = options.keep_workers_off_caller};
}

}  // namespace

Forecaster::Forecaster(artifact::Model model, std::unique_ptr<ThreadPool> threads)
    : threads_(std::move(threads)),
      model_(std::move(model)),
      inference_(std::make_unique<model::Inference>(*model_.pulse, *threads_)) {}

Forecaster Forecaster::fit(const std::string& file, const Settings& settings,
                           const FitOptions& options) {
  ThreadPool threads(thread_options(options));
  Settings known = train::complete(settings);
  Table table = read_table(file, known.data, threads);
  known.data.layout = table.is_long() ? Layout::kLong : known.data.layout;
  return fit(repair(std::move(table), known.data).series, known, options);
}

Forecaster Forecaster::fit(Series series, const Settings& settings, const FitOptions& options) {
  std::erase_if(series.channels,
                [](const Channel& channel) { return channel.role == Role::kPast; });
  if (std::ranges::count(series.channels, Role::kTarget, &Channel::role) == 0) {
    throw_error(ErrorKind::kUsage, series.source,
                "no column is left to forecast: each is known in advance, past or ignored");
  }
  auto threads = std::make_unique<ThreadPool>(thread_options(options));
  train::FitHooks hooks = options.hooks;
  if (hooks.checkpoint) hooks.data_checksum = series_checksum(series);
  auto fitted =
      std::make_unique<train::Fitted>(train::fit(series, settings, options.refit, hooks, *threads));

  artifact::Model model{.pulse = std::move(fitted->pulse),
                        .scaler = fitted->scaler,
                        .channels = {},
                        .calendar = fitted->plan.calendar,
                        .step = series.step,
                        .zone = series.zone,
                        .phase_origin = series.stamps.front(),
                        .settings = fitted->plan.settings,
                        .origin = origin_of(series, *fitted, options.refit)};
  for (const Channel& channel : series.channels) {
    model.channels.push_back({channel.name, channel.role});
  }
  Forecaster forecaster(std::move(model), std::move(threads));
  forecaster.fitted_ = std::move(fitted);
  return forecaster;
}

Forecaster Forecaster::load(const std::filesystem::path& path, std::size_t threads) {
  return load(path, ThreadPoolOptions{.threads = threads});
}

Forecaster Forecaster::load(const std::filesystem::path& path, const ThreadPoolOptions& threads) {
  return {artifact::load_model(path), std::make_unique<ThreadPool>(threads)};
}

void Forecaster::save(const std::filesystem::path& path) const {
  artifact::save_model(path, model_);
}

DataSettings Forecaster::reading_settings() const { return pulsecast::reading_settings(model_); }

Repaired Forecaster::read(const std::string& file) const { return read(file, reading_settings()); }

Repaired Forecaster::read(const std::string& file, const DataSettings& settings) const {
  Repaired repaired = repair(read_table(file, settings, *threads_), settings);
  repaired.series = align(std::move(repaired.series), model_);
  return repaired;
}

SeriesForecast Forecaster::forecast(const std::string& file, const ForecastOptions& options) {
  return forecast(read(file).series, options);
}

SeriesForecast Forecaster::forecast(const Series& series, const ForecastOptions& options) {
  return make_forecast(series, model_, *inference_, options);
}

EvaluatedRows Forecaster::evaluate(const Series& series, Part part) {
  const model::ModelShape& shape = model_.pulse->shape();
  const RowRange rows = rows_of(series, model_, part);
  if (rows.size() == 0) {
    throw_error(
        ErrorKind::kData, series.source,
        "there are no rows to score: the model has seen rows up to {}, and the file ends at "
        "{}. Give newer rows, or ask for --part validation or --part training",
        to_text(std::max(model_.origin.trained.last, model_.origin.validated.last), series.zone),
        series.stamps.empty() ? "none" : to_text(series.stamps.back(), series.zone));
  }
  const ScaledSeries scaled(series, model_.scaler, calendar_for(series, model_));
  const Windows windows(scaled, shape.lookback, shape.horizon, rows, History::kReaches);
  require_windows(windows, series, rows, "scored", shape.lookback, shape.horizon);
  const RowRange trained = rows_of(series, model_, Part::kTraining);
  inference_->keep_encodings(windows.distinct_history_calendars(),
                             windows.distinct_future_calendars());
  Evaluation evaluation = pulsecast::evaluate(
      scaled, windows, model_.scaler, trained, seasons_of(series.step),
      [&](const Batch& batch, Forecast& forecast) { inference_->forecast(batch, forecast); },
      *threads_);
  inference_->keep_encodings(0, 0);
  return {std::move(evaluation), rows};
}

}  // namespace pulsecast
