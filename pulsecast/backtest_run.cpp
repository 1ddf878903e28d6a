#include "pulsecast/backtest_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/backtest_learner.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/forecast/scored_rows.h"

namespace pulsecast {
namespace {

constexpr std::size_t kLeastDriftWindow = 10;
constexpr std::size_t kValuesAtOnce = std::size_t{1} << 20;
constexpr std::size_t kOriginsAtOnce = 64;

std::size_t divided_up(std::size_t count, std::size_t by) { return (count + by - 1) / by; }

// Rows of each target (one range for all where channels are forecast together).
std::vector<RowRange> scored_rows(const Series& series, const artifact::Model& model, Part part) {
  if (model.is_panel()) return rows_of_series(series, model, part);
  return {rows_of(series, model, part)};
}

}  // namespace

BacktestRun::BacktestRun(const Series& series, std::shared_ptr<const Model> model,
                         const BacktestOptions& options, std::unique_ptr<BacktestJournal> journal,
                         ThreadPool& pool)
    : series_(series),
      first_model_(model),
      model_(std::move(model)),
      options_(options),
      pool_(pool),
      journal_(std::move(journal)),
      rows_(scored_rows(series, model_->inside(), options.part)),
      now_(std::make_unique<OriginForecasts>(series, model_->inside(), rows_, pool)),
      scaler_(now_->scaler()),
      scaled_(now_->scaled()),
      targets_(now_->targets()),
      horizon_(now_->horizon()),
      seasons_(seasons_of(series.step)),
      months_(months_of(series, scaled_)),
      present_(targets_),
      truth_(targets_ * horizon_) {
  if (options.against_model || !options.against_forecasts.empty()) {
    rival_.emplace(series, *now_, rows_, first_model_->inside().is_panel(), options, pool);
  }
  choose_origins();
  name_contenders();
  const std::size_t overlap = divided_up(horizon_, options.stride);
  result_.drift_window =
      options.drift_window > 0 ? options.drift_window : std::max(overlap, kLeastDriftWindow);
  drift_.emplace(result_.drift_window, horizon_);
  const artifact::Model& inside = first_model_->inside();
  if (inside.ranges && !inside.is_panel() && options.part == Part::kHeldOut &&
      options.refit_every == 0 && !options.refit_on_drift) {
    ranges_.emplace(inside, scaled_, months_);
  }
}

void BacktestRun::name_contenders() {
  baselines_ = baselines_for(seasons_, seen_before_first(), first_model_->card().lookback);
  std::vector<std::string> names{"model"};
  for (const Baseline& baseline : baselines_) names.push_back(baseline.name);
  if (rival_) names.push_back(options_.against_name);
  // The shortest season that is there, or the last value.
  drift_contender_ = baselines_.size() > 2 ? 2 : 1;
  result_.drift_beside = names[drift_contender_];
  scores_.emplace(std::move(names), targets_, horizon_, scaler_, months_);
}

Backtest BacktestRun::finish() {
  std::optional<AtomicFile> out;
  if (options_.out) out.emplace(*options_.out);
  for (std::size_t done = 0; done < origins_.size();) {
    const bool drifts = look_at_drift(origins_[done]);
    const bool is_due = options_.refit_every > 0 && done > 0 && done % options_.refit_every == 0;
    if (is_due || (drifts && options_.refit_on_drift)) refit(origins_[done], !is_due);
    const std::size_t first = done;
    for (const std::vector<float>& values : forecasts_of(done, origins_from(done))) {
      if (done > first) look_at_drift(origins_[done]);
      score(origins_[done], values);
      if (out) write(origins_[done], values, done == 0, *out);
      ++done;
    }
    options_.watch.advance("backtest", done, origins_.size());
  }
  if (out) out->commit();
  if (journal_) {
    journal_->remove();
    std::filesystem::remove(beside(*options_.out, kFirstModel));
    std::filesystem::remove(beside(*options_.out, kLatestModel));
  }
  tell();
  return std::move(result_);
}

void BacktestRun::choose_origins() {
  const std::vector<std::size_t> all = now_->origins();
  for (std::size_t i = all.size(); i-- > 0;) {
    if ((all.back() - all[i]) % options_.stride != 0) continue;
    mask(all[i], present_);
    if (std::ranges::count(present_, std::uint8_t{1}) == 0) continue;
    origins_.push_back(all[i]);
    if (origins_.size() == options_.origins) break;
  }
  if (origins_.empty()) {
    throw make_error(ErrorKind::kData, series_.source,
                     "there is no origin to forecast from: none of the rows to be forecast has "
                     "{} of history before it and {} after it",
                     counted(first_model_->card().lookback, "row"), counted(horizon_, "row"))
        .with(remedy::advice("give newer rows"))
        .with(remedy::act(RemedyAction::kScoreValidation, "to forecast rows that it knows"));
  }
  std::ranges::reverse(origins_);
  if (origins_.size() < options_.origins) {
    options_.watch.remark(fmt::format("there are {} to forecast from, not {}",
                                      counted(origins_.size(), "origin"), options_.origins));
  }
  if (!rival_) return;
  std::vector<std::uint8_t> present(origins_.size() * targets_);
  for (std::size_t i = 0; i < origins_.size(); ++i) {
    mask(origins_[i], std::span(present).subspan(i * targets_, targets_));
  }
  rival_->read(origins_, std::move(present));
}

void BacktestRun::mask(std::size_t row, std::span<std::uint8_t> present) const {
  now_->present(row, present);
  if (rival_) rival_->mask(row, present);
}

std::size_t BacktestRun::seen_before_first() const {
  std::size_t seen = 0;
  for (std::size_t c = 0; c < targets_; ++c) {
    if (origins_.front() > scaled_.first_row(c)) {
      seen = std::max(seen, origins_.front() - scaled_.first_row(c));
    }
  }
  return seen;
}

bool BacktestRun::look_at_drift(std::size_t row) {
  const std::optional<DriftWatch::State> state = drift_->at(row);
  const bool drifts = state && state->is_drifting;
  if (drifts && !is_drifting_) {
    result_.alarms.push_back(
        {stamp_before(row), state->ratio, state->reference, result_.drift_window});
  }
  is_drifting_ = drifts;
  look_at_coverage(row);
  return drifts;
}

void BacktestRun::look_at_coverage(std::size_t row) {
  if (!coverage_) return;
  const std::optional<double> coverage = coverage_->at(row);
  const bool is_low = coverage && coverage_->is_low(*coverage);
  if (is_low && !is_coverage_low_) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    result_.alarms.push_back({stamp_before(row), kNone, kNone, result_.drift_window,
                              ranges_->watched_level(), *coverage});
  }
  is_coverage_low_ = is_low;
}

void BacktestRun::score_ranges(std::size_t row, const std::vector<float>& model) {
  const std::size_t lookback = first_model_->card().lookback;
  ranges_->begin(row);
  std::vector<float> without_effect(horizon_);
  for (std::size_t c = 0; c < targets_; ++c) {
    if (present_[c] == 0) continue;
    const auto history = scaled_.seen(c).subspan(row - scaled_.first_row(c) - lookback, lookback);
    const auto said = std::span(model).subspan(c * horizon_, horizon_);
    for (std::size_t h = 0; h < horizon_; ++h) {
      without_effect[h] = said[h] - scaled_.effect(c, row + h);
    }
    ranges_->add(c, c,
                 calibrate::outlook(history, scaled_.phases().subspan(row, horizon_),
                                    without_effect, ranges_->recent_steps()),
                 std::span(truth_).subspan(c * horizon_, horizon_), said);
  }
  ranges_->end();
  const std::optional<double> hits = ranges_->last_hits();
  if (!hits) return;
  if (!coverage_) coverage_.emplace(ranges_->watched_level(), result_.drift_window, horizon_);
  coverage_->add(row, *hits);
}

std::size_t BacktestRun::origins_from(std::size_t done) const {
  if (options_.refit_on_drift) return 1;
  std::size_t count =
      std::clamp<std::size_t>(kValuesAtOnce / (targets_ * horizon_), 1, kOriginsAtOnce);
  if (options_.refit_every > 0) {
    count = std::min(count, options_.refit_every - done % options_.refit_every);
  }
  return std::min(count, origins_.size() - done);
}

void BacktestRun::refit(std::size_t row, bool is_by_drift) {
  const std::size_t end = row - scaled_.lead();
  const std::size_t begin =
      options_.history_rows > 0 && options_.history_rows < end ? end - options_.history_rows : 0;
  BacktestRefit refit{stamp_before(row), end - begin, 0.0, is_by_drift};
  drift_->begin_anew();
  is_drifting_ = false;
  if (BacktestJournal::Record record; journal_ && journal_->next(record)) {
    refit.validation = record.number;
    is_stale_ = true;
  } else {
    options_.watch.remark(fmt::format("training again on {} up to {}{}",
                                      counted(end - begin, "row"), to_text(refit.at, series_.zone),
                                      is_by_drift ? ", as errors drift" : ""));
    model_ = learn(series_, {begin, end}, relearning(first_model_->card().settings), options_);
    refit.validation = model_->card().origin.best_validation;
    record_model(*model_, kLatestModel, row, journal_.get(), options_);
    now_ = std::make_unique<OriginForecasts>(series_, model_->inside(), rows_, pool_);
    is_stale_ = false;
  }
  result_.refits.push_back(refit);
}

void BacktestRun::load_if_stale() {
  if (!is_stale_) return;
  model_ = Model::load(beside(*options_.out, kLatestModel));
  now_ = std::make_unique<OriginForecasts>(series_, model_->inside(), rows_, pool_);
  is_stale_ = false;
}

std::vector<std::vector<float>> BacktestRun::forecasts_of(std::size_t first, std::size_t count) {
  std::vector<std::vector<float>> all;
  BacktestJournal::Record record;
  while (all.size() < count && journal_ && journal_->next(record)) {
    all.push_back(std::move(record.values));
    ++result_.origins_before;
  }
  if (!all.empty()) return all;
  load_if_stale();
  const std::size_t values = targets_ * horizon_;
  std::vector<float> made(count * values);
  now_->forecast(std::span(origins_).subspan(first, count), made);
  std::vector<BacktestJournal::Record> records;
  for (std::size_t i = 0; i < count; ++i) {
    const auto own = std::span(made).subspan(i * values, values);
    for (std::size_t c = 0; c < targets_; ++c) {
      rescale(own.subspan(c * horizon_, horizon_), now_->scaler(), c, scaler_, c);
    }
    all.emplace_back(own.begin(), own.end());
    if (journal_) {
      records.push_back({BacktestJournal::Kind::kForecast, origins_[first + i], 0.0, all.back()});
    }
  }
  if (journal_) journal_->append(records);
  return all;
}

void BacktestRun::score(std::size_t row, const std::vector<float>& model) {
  mask(row, present_);
  std::vector<std::vector<float>> others(baselines_.size(), std::vector<float>(model.size()));
  for (std::size_t c = 0; c < targets_; ++c) {
    if (present_[c] == 0) continue;
    const std::span<const float> values = scaled_.channel(c);
    const std::size_t origin = row - scaled_.first_row(c);
    std::ranges::copy(values.subspan(origin, horizon_),
                      truth_.begin() + static_cast<std::ptrdiff_t>(c * horizon_));
    for (std::size_t b = 0; b < baselines_.size(); ++b) {
      baselines_[b].forecast(values.first(origin),
                             std::span(others[b]).subspan(c * horizon_, horizon_));
    }
  }
  std::vector<std::span<const float>> forecasts{model};
  for (const std::vector<float>& other : others) forecasts.push_back(other);
  std::vector<float> theirs;
  if (rival_) {
    theirs = rival_->forecast(scores_->origins(), row);
    forecasts.push_back(theirs);
  }
  scores_->add({row, present_, truth_}, forecasts);
  if (ranges_) score_ranges(row, model);
  drift_->add(row, scores_->losses(0).back(), scores_->losses(drift_contender_).back());
}

void BacktestRun::write(std::size_t row, const std::vector<float>& values, bool is_first,
                        AtomicFile& out) {
  SeriesForecast forecast{series_.zone, stamp_before(row), {}, {}};
  const std::size_t begin = row - scaled_.lead();
  for (std::size_t h = 0; h < horizon_; ++h) forecast.stamps.push_back(series_.stamps[begin + h]);
  mask(row, present_);
  for (std::size_t c = 0; c < targets_; ++c) {
    if (present_[c] == 0) continue;
    ChannelForecast channel;
    channel.channel = series_.channels[c].name;
    channel.level = scaler_.means()[c];
    channel.unit = scaler_.scales()[c];
    for (std::size_t h = 0; h < horizon_; ++h) {
      channel.values.push_back(scaler_.original(c, values[c * horizon_ + h]));
    }
    forecast.channels.push_back(std::move(channel));
  }
  const std::string text = to_long_csv(forecast, false);
  out.write(is_first ? std::string_view(text) : std::string_view(text).substr(text.find('\n') + 1));
}

void BacktestRun::tell() {
  result_.origins = origins_.size();
  result_.stride = options_.stride;
  result_.first_cutoff = stamp_before(origins_.front());
  result_.last_cutoff = stamp_before(origins_.back());
  result_.horizon = horizon_;
  for (std::size_t c = 0; c < targets_; ++c) {
    result_.channels.push_back(series_.channels[c].name);
  }
  result_.contenders =
      scores_->results(scaled_, scored_rows(series_, first_model_->inside(), Part::kTraining),
                       seasons_, divided_up(horizon_, options_.stride));
  if (ranges_) {
    result_.ranges =
        ranges_->results(scaler_, scored_rows(series_, first_model_->inside(), Part::kTraining),
                         first_model_->card().period, divided_up(horizon_, options_.stride));
  }
}

}  // namespace pulsecast
