#include "pulsecast/forecaster.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/cpu_type.h"
#include "pulsecast/base/only_errors.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/read_series.h"
#include "pulsecast/data/series/series_checksum.h"
#include "pulsecast/forecast/align.h"
#include "pulsecast/forecast/look_inside.h"
#include "pulsecast/forecast/scored_rows.h"
#include "pulsecast/forecast/session.h"
#include "pulsecast/kernels/engine.h"
#include "pulsecast/pool_of.h"
#include "pulsecast/search/search.h"
#include "pulsecast/train/completion.h"
#include "pulsecast/train/fit.h"
#include "pulsecast/train/past_columns.h"
#include "pulsecast/warm_fit.h"

namespace pulsecast {

// A session with the threads that it runs on.
struct Session::Contents {
  Contents(std::shared_ptr<const Model> whose, const artifact::Model& model, Threads threads)
      : owner(std::move(whose)), pool(std::move(threads)), session(model, pool.pool()) {}

  std::shared_ptr<const Model> owner;  // null where the model itself keeps the session
  PoolOf pool;
  ForecastSession session;
};

struct Model::Contents {
  artifact::Model model;
  ModelCard card;
  std::optional<FitSummary> fitted;

  // Sessions of forecasts that are over, for the next ones.
  std::mutex mutex;
  std::vector<std::unique_ptr<Session::Contents>> idle;
};

namespace {

ModelCard card_of(const artifact::Model& model) {
  const model::ModelShape& shape = model.shape();
  return {.title = model.ensemble.title(),
          .weights = model.ensemble.learned_count(),
          .lookback = shape.lookback,
          .horizon = shape.horizon,
          .period = shape.period,
          .step = model.step,
          .zone = model.zone,
          .channels = model.channels,
          .settings = model.settings,
          .origin = model.origin};
}

artifact::StampRange range_of(const Series& series, RowRange rows) {
  if (rows.size() == 0) return {};
  return {rows.begin, rows.size(), series.stamps[rows.begin], series.stamps[rows.end - 1]};
}

artifact::Origin origin_of(const Series& series, const train::Fitted& fitted) {
  artifact::Origin origin{.written_by = "pulsecast " PULSECAST_VERSION,
                          .cpu = cpu_type(),
                          .engine = kernels::engine_name(),
                          .data_source = std::filesystem::path(series.source).filename().string(),
                          .data_sha256 = series_checksum(series),
                          .trained = range_of(series, fitted.trained),
                          .validated = range_of(series, fitted.plan.split.validation),
                          .test = range_of(series, fitted.plan.split.test),
                          .is_refit = fitted.is_refit,
                          .best_epoch = fitted.result.best_epoch,
                          .best_validation = fitted.result.best_validation,
                          .naive_validation = fitted.naive_validation,
                          .seasonal_validation = fitted.seasonal_validation,
                          .seconds = fitted.seconds,
                          .training_windows = fitted.training_windows,
                          .validation_windows = fitted.validation_windows,
                          .history = fitted.result.history,
                          .choices = {},
                          .warnings = fitted.warnings};
  for (const train::Decision& decision : fitted.plan.decisions) {
    origin.choices.push_back(fmt::format("{} {}: {}", decision.what, decision.value, decision.why));
  }
  return origin;
}

std::vector<artifact::SeriesParts> series_parts(const Series& series, const train::Fitted& fitted) {
  std::vector<artifact::SeriesParts> parts;
  const auto last_of = [&](std::size_t end) { return series.stamps[end > 0 ? end - 1 : 0]; };
  for (const Split& split : fitted.plan.series_splits) {
    const std::size_t trained = fitted.is_refit ? split.validation.end : split.train.end;
    const Instant first = series.stamps[std::min(split.train.begin, series.rows() - 1)];
    parts.push_back({first, std::max(first, last_of(trained)),
                     std::max(first, last_of(std::max(trained, split.validation.end)))});
  }
  return parts;
}

// Columns that no forecast depends on: whoever forecasts need not have them.
void leave_out(artifact::Model& model, Role role, std::vector<std::string>& names) {
  std::vector<artifact::ChannelInfo> channels;
  std::vector<double> means;
  std::vector<double> scales;
  for (std::size_t c = 0; c < model.channels.size(); ++c) {
    if (model.channels[c].role == role) continue;
    channels.push_back(model.channels[c]);
    means.push_back(model.scaler.means()[c]);
    scales.push_back(model.scaler.scales()[c]);
  }
  model.channels = std::move(channels);
  model.scaler = {std::move(means), std::move(scales)};
  DataSettings& data = model.settings.data;
  data.ignore.insert(data.ignore.end(), names.begin(), names.end());
  names.clear();
}

// The same of static columns that tell nothing.
void leave_out_statics(artifact::Model& model) {
  std::vector<std::string> read;
  if (model.profiles) {
    for (const StaticGroups& groups : model.profiles->columns()) read.push_back(groups.column);
  }
  model.settings.data.static_columns = std::move(read);
}

artifact::Model assemble(const Series& series, train::Fitted& fitted) {
  artifact::Model model{.ensemble = std::move(fitted.ensemble),
                        .scaler = fitted.scaler,
                        .effects = fitted.effects.effects,
                        .profiles = fitted.statics.profiles,
                        .channels = {},
                        .calendar = fitted.plan.calendar,
                        .step = series.step,
                        .zone = series.zone,
                        .phase_origin = series.stamps.front(),
                        .settings = fitted.plan.settings,
                        .origin = origin_of(series, fitted),
                        .series = series_parts(series, fitted),
                        .ranges = std::move(fitted.ranges)};
  for (const Channel& channel : series.channels) {
    model.channels.push_back({channel.name, channel.role, is_constant(channel, fitted.trained)});
  }
  DataSettings& data = model.settings.data;
  if (!model.reads_known()) leave_out(model, Role::kKnown, data.known);
  if (model.shape().past == 0) leave_out(model, Role::kPast, data.past);
  leave_out_statics(model);
  return model;
}

train::FitHooks hooks_of(const FitOptions& options, const Series& series) {
  train::FitHooks hooks;
  hooks.checkpoint = options.checkpoint;
  if (options.checkpoint) hooks.data_checksum = series_checksum(series);
  hooks.resume = options.resume;
  hooks.allow_other_cpu = options.allow_other_cpu;
  hooks.watch = options.watch;
  hooks.on_step = options.on_step;
  hooks.on_epoch = options.on_epoch;
  if (options.on_plan) {
    hooks.on_plan = [tell = options.on_plan](const train::Plan& plan) {
      tell({.title = model_title(plan.shape),
            .channels = plan.shape.channels,
            .lookback = plan.shape.lookback,
            .horizon = plan.shape.horizon,
            .period = plan.shape.period,
            .decisions = plan.decisions});
    };
  }
  return hooks;
}

// What a clock said belongs to the card of this training: the file is the same whenever it is made.
void forget_seconds(artifact::Origin& origin) {
  origin.seconds = 0.0;
  for (model::EpochRecord& record : origin.history) record.seconds = 0.0;
}

Observations observed_by(const artifact::Model& model, Observations rows) {
  Repaired repaired = std::move(rows).into_repaired();
  std::vector<std::string> left_out = unknown_targets(repaired.series, model);
  for (const std::string& name : new_columns(repaired.found.unread, model)) {
    left_out.push_back(name);
  }
  return Observations(align(std::move(repaired.series), model), std::move(repaired.repairs),
                      repaired.is_long, std::move(left_out));
}

}  // namespace

std::string_view version() { return PULSECAST_VERSION; }

Settings complete(const Settings& told) {
  return only_errors([&] { return train::complete(told); });
}

Model::Model(std::unique_ptr<Contents> contents) : contents_(std::move(contents)) {}
Model::~Model() = default;

std::shared_ptr<const Model> Model::load(const std::filesystem::path& path) {
  return only_errors([&] {
    auto contents = std::make_unique<Contents>();
    contents->model = artifact::load_model(path);
    contents->card = card_of(contents->model);
    return std::shared_ptr<const Model>(new Model(std::move(contents)));
  });
}

std::shared_ptr<const Model> Model::from_bytes(std::string_view bytes, const std::string& source) {
  return only_errors([&] {
    auto contents = std::make_unique<Contents>();
    contents->model = artifact::parse_model(bytes, source);
    contents->card = card_of(contents->model);
    return std::shared_ptr<const Model>(new Model(std::move(contents)));
  });
}

void Model::save(const std::filesystem::path& path) const {
  only_errors([&] { artifact::save_model(path, contents_->model); });
}

std::string Model::to_bytes() const {
  return only_errors([&] { return artifact::model_bytes(contents_->model); });
}

const ModelCard& Model::card() const { return contents_->card; }
const FitSummary* Model::fitted() const {
  return contents_->fitted ? &*contents_->fitted : nullptr;
}
const artifact::Model& Model::inside() const { return contents_->model; }

DataSettings Model::reading_settings() const {
  return only_errors([&] { return pulsecast::reading_settings(contents_->model); });
}

Observations Model::read(const std::string& file, const Threads& threads,
                         const Watch& watch) const {
  return read(file, reading_settings(), threads, watch);
}

Observations Model::read(const std::string& file, const DataSettings& settings,
                         const Threads& threads, const Watch& watch) const {
  return only_errors([&] {
    Repaired repaired = read_series(file, settings, PoolOf(threads).pool(), watch);
    return observed_by(contents_->model, Observations(std::move(repaired)));
  });
}

Observations Model::take(const Frame& frame) const {
  return only_errors(
      [&] { return observed_by(contents_->model, Observations::take(frame, reading_settings())); });
}

Observations Model::take(Observations rows) const {
  return only_errors([&] { return observed_by(contents_->model, std::move(rows)); });
}

SeriesForecast Model::forecast(const std::string& file, const ForecastOptions& options) const {
  return forecast(read(file), options);
}

SeriesForecast Model::forecast(const Observations& rows, const ForecastOptions& options) const {
  return only_errors([&] {
    std::unique_ptr<Session::Contents> session;
    {
      const std::lock_guard lock(contents_->mutex);
      if (!contents_->idle.empty()) {
        session = std::move(contents_->idle.back());
        contents_->idle.pop_back();
      }
    }
    if (!session) {
      session = std::make_unique<Session::Contents>(nullptr, contents_->model, Threads());
    }
    SeriesForecast forecast = session->session.forecast(rows.series(), options);
    const std::lock_guard lock(contents_->mutex);
    contents_->idle.push_back(std::move(session));
    return forecast;
  });
}

EvaluatedRows Model::evaluate(const Observations& rows, Part part, const Threads& threads,
                              const Watch& watch) const {
  return only_errors([&] {
    const artifact::Model& model = contents_->model;
    // On rows that calibrated them ranges would hold what they promise whatever they are.
    const RangeScoring ranges =
        part == Part::kHeldOut ? RangeScoring::kScored : RangeScoring::kLeftOut;
    if (model.is_panel()) {
      const std::vector<RowRange> own = rows_of_series(rows.series(), model, part);
      return EvaluatedRows{
          evaluate_series(rows.series(), model, own, ranges, PoolOf(threads).pool(), watch),
          {0, rows.rows()}};
    }
    const AlignedSeries aligned(rows.series(), model);
    std::optional<Series> own;
    if (!aligned.is_as_it_is()) own = align(rows.series(), model);
    const Series& series = own ? *own : rows.series();
    const RowRange scored = rows_of(series, model, part);
    return EvaluatedRows{
        evaluate_rows(series, model, scored, ranges, PoolOf(threads).pool(), watch), scored};
  });
}

Inside Model::look_inside(const Observations& rows, const InsideRequest& request,
                          const Threads& threads, const Watch& watch) const {
  return only_errors([&] {
    const artifact::Model& model = contents_->model;
    std::optional<Series> own;
    if (!model.is_panel() && !AlignedSeries(rows.series(), model).is_as_it_is()) {
      own = align(rows.series(), model);
    }
    return pulsecast::look_inside(own ? *own : rows.series(), model, request,
                                  PoolOf(threads).pool(), watch);
  });
}

std::optional<Codebook> Model::codebook() const {
  return only_errors([&] { return codebook_of(contents_->model); });
}

std::shared_ptr<const Model> fit(Observations rows, const Settings& settings,
                                 const FitOptions& options) {
  return only_errors([&] {
    Settings told = settings;
    // A model must read new rows the way these were read.
    told.data = rows.as_read(told.data);
    Series series = std::move(rows).into_repaired().series;
    // From older weights there is one training and no search.
    Settings trained = told;
    if (options.from) trained.training.budget = "none";
    for (const std::string& text : train::keep_what_models_read(series, trained)) {
      options.watch.remark(text);
    }
    PoolOf threads(options.threads ? *options.threads : Threads(0));
    const train::FitHooks hooks = hooks_of(options, series);
    std::optional<FitStarts> starts;
    std::optional<search::Found> found;
    if (!options.from) found = search::find(series, told, options.refit, hooks, threads.pool());
    train::Fitted fitted = found ? std::move(found->fitted)
                           : options.from
                               ? fit_from(options.from->inside(), series, told, options.refit,
                                          hooks, threads.pool(), starts.emplace())
                               : train::fit(series, told, options.refit, hooks, threads.pool());
    auto contents = std::make_unique<Model::Contents>();
    contents->fitted = {fitted.plan.decisions,
                        fitted.result.memory,
                        fitted.result.lanes,
                        fitted.result.fault,
                        starts,
                        fitted.result.is_ended,
                        found ? std::move(found->tried) : std::vector<train::Tried>{}};
    contents->model = assemble(series, fitted);
    contents->card = card_of(contents->model);
    forget_seconds(contents->model.origin);
    return std::shared_ptr<const Model>(new Model(std::move(contents)));
  });
}

std::shared_ptr<const Model> fit(const std::string& file, const Settings& settings,
                                 const FitOptions& options) {
  FitOptions own = options;
  if (!own.threads) own.threads = Threads(0);
  const Settings known = complete(settings);
  Observations rows = Observations::read(file, known.data, *own.threads, own.watch);
  for (const std::string& repair : rows.repairs()) own.watch.remark(repair);
  return fit(std::move(rows), known, own);
}

Session::Session(std::shared_ptr<const Model> model, Threads threads)
    : contents_(only_errors([&] {
        const artifact::Model& inside = model->inside();
        return std::make_unique<Contents>(std::move(model), inside, std::move(threads));
      })) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

const std::shared_ptr<const Model>& Session::model() const { return contents_->owner; }

SeriesForecast Session::forecast(const Observations& rows, const ForecastOptions& options) {
  return only_errors([&] { return contents_->session.forecast(rows.series(), options); });
}

std::vector<SeriesForecast> Session::forecast(const Observations& rows,
                                              std::span<const Instant> origins,
                                              const ForecastOptions& options, const Watch& watch) {
  return only_errors(
      [&] { return contents_->session.forecast(rows.series(), origins, options, watch); });
}

std::vector<SeriesForecast> Session::forecast(const Observations& rows, Instant first, Instant last,
                                              const ForecastOptions& options, const Watch& watch) {
  const std::size_t lookback = contents_->owner->card().lookback;
  const std::span<const Instant> stamps =
      rows.stamps().subspan(0, std::min(rows.rows(), target_rows(rows.series())));
  const auto begin =
      std::max(std::ranges::lower_bound(stamps, first),
               stamps.begin() + static_cast<std::ptrdiff_t>(std::min(lookback - 1, stamps.size())));
  const auto end = std::max(begin, std::ranges::upper_bound(stamps, last));
  return forecast(rows, std::span(begin, end), options, watch);
}

}  // namespace pulsecast
